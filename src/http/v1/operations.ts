import { pathOfTarget } from '../request-target.ts'
// Hot path
import { showFeedFile } from './fhir-feed/show-feed-file.ts'
import { showManifest } from './fhir-feed/show-manifest.ts'
import { showUpdateFile, showUpdatePage } from './fhir-feed/show-updates.ts'
import { followBookingLink } from './follow-booking-link/follow-booking-link.ts'
import { getSlot } from './get-slot/get-slot.ts'
import { listActors } from './list-actors/list-actors.ts'
import { listChanges } from './list-changes/list-changes.ts'
import { listFacets } from './list-facets/list-facets.ts'
import { listPublishers } from './list-publishers/list-publishers.ts'
import { listSlots } from './list-slots/list-slots.ts'
import type { Operation, OperationMatch, PathMatch, PathOperations } from './operation.ts'
import { SUBSCRIPTION_OPERATIONS } from './subscriptions/subscription-operations.ts'

/** Every operation of `/v1`. The dispatcher, the OpenAPI document and the client's types are made from this table. */
export const OPERATIONS: readonly Operation[] = [
  listSlots,
  getSlot,
  followBookingLink,
  listActors,
  listFacets,
  listPublishers,
  listChanges,
  showManifest,
  showFeedFile,
  showUpdatePage,
  showUpdateFile,
  ...SUBSCRIPTION_OPERATIONS,
]

const ENTRIES = pathsOf(OPERATIONS)
const BY_PATH = new Map(ENTRIES.map((entry) => [entry.path, entry]))
/** Paths with one parameter, by the path without it. */
const BY_FOLDER = new Map(
  ENTRIES.filter(({ path }) => path.split('{').length === 2).map((entry) => [entry.path.replace(/\{.*\}/, ''), entry]),
)
/** Paths with two parameters. */
const BY_FORM = ENTRIES.filter(({ path }) => path.split('{').length === 3).map((entry) => ({
  entry,
  form: new RegExp(`^${entry.path.replaceAll(/\{.*?\}/g, '([^/]+)')}$`),
}))

/** The operations of a request target, in any notation that RFC 9112, 3.2 allows. */
export function matchPath(target: string): PathMatch | undefined {
  const mark = target.indexOf('?')
  const plain = mark === -1 ? target : target.slice(0, mark)
  const search = mark === -1 ? '' : target.slice(mark + 1)
  const path = BY_PATH.has(plain) ? plain : decodedPathOf(plain)
  const exact = BY_PATH.get(path)
  if (exact !== undefined) return { ...exact, search, name: '' }
  const folder = folderOf(path)
  const entry = BY_FOLDER.get(folder)
  if (entry === undefined) return matchAction(path, folder, search)
  const name = path.slice(folder.length)
  return name === '' ? undefined : { ...entry, search, name }
}

/** A path whose parameter is followed by one more segment: `…/{id}/book`, or by a second parameter. */
function matchAction(path: string, folder: string, search: string): PathMatch | undefined {
  const item = folder.slice(0, -1)
  const parent = folderOf(item)
  const name = item.slice(parent.length)
  const entry = BY_FOLDER.get(`${parent}${path.slice(item.length)}`)
  if (entry !== undefined && name !== '') return { ...entry, search, name }
  for (const { entry, form } of BY_FORM) {
    const match = form.exec(path)
    if (match !== null) return { ...entry, search, name: match[1], itemName: match[2] }
  }
  return undefined
}

function pathsOf(operations: readonly Operation[]): PathOperations[] {
  const paths = [...new Set(operations.map(({ path }) => path))]
  return paths.map((path) => {
    const byMethod = new Map<string, Pick<OperationMatch, 'operation' | 'types'>>()
    for (const operation of operations.filter((each) => each.path === path)) {
      const entry = { operation, types: typesOf(operation) }
      for (const method of operation.method === undefined ? ['GET', 'HEAD'] : [operation.method])
        byMethod.set(method, entry)
    }
    return { path, byMethod, allow: [...byMethod.keys(), 'OPTIONS'].join(', ') }
  })
}

/** The media types of an operation's responses, the default first. */
export function typesOf({ content }: Operation): string[] {
  return Object.keys(content)
}

/** The path up to its last slash. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The path of a target that may be percent-encoded, absolute, or have dot segments. */
function decodedPathOf(target: string): string {
  const path = pathOfTarget(target)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
