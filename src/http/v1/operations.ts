// Hot path
import { JSON_TYPE } from '../negotiation/accept.ts'
import { sendFeedFile } from './fhir-feed/send-feed-file.ts'
import { showManifest } from './fhir-feed/show-manifest.ts'
import { showSlot } from './get-slot/get-slot.ts'
import { listActors } from './list-actors/list-actors.ts'
import { relayChanges } from './list-changes/relay-changes.ts'
import { listFacets } from './list-facets/list-facets.ts'
import { listPublishers } from './list-publishers/list-publishers.ts'
import { listSlots } from './list-slots/list-slots.ts'
import type { Operation } from './operation.ts'

/** Every GET under `/v1`: the front asks for a key before it looks here. */
export const OPERATIONS: readonly Operation[] = [
  listSlots,
  showSlot,
  relayChanges,
  listActors,
  listFacets,
  listPublishers,
  showManifest,
  sendFeedFile,
]

/** A target in its parts. */
export interface Found {
  readonly operation: Operation
  /** The media types that it can answer in, the usual one first. */
  readonly types: readonly string[]
  readonly search: string
  /** What stands for the path's `{…}`. */
  readonly name: string
}

const OFFERS = OPERATIONS.map((operation) => ({ operation, types: typesOf(operation) }))
const BY_PATH = new Map(OFFERS.map((offer) => [offer.operation.path, offer]))
const BY_FOLDER = new Map(
  OFFERS.filter(({ operation }) => operation.path.endsWith('}')).map((offer) => [
    folderOf(offer.operation.path),
    offer,
  ]),
)

/** The operation that a request target leads to, written in any way that RFC 9112, 3.2 allows. */
export function findOperation(target: string): Found | undefined {
  const mark = target.indexOf('?')
  const plain = mark === -1 ? target : target.slice(0, mark)
  const search = mark === -1 ? '' : target.slice(mark + 1)
  const path = BY_PATH.has(plain) ? plain : pathOf(plain)
  const exact = BY_PATH.get(path)
  if (exact !== undefined) return { ...exact, search, name: '' }
  const folder = folderOf(path)
  const named = BY_FOLDER.get(folder)
  const name = path.slice(folder.length)
  return named === undefined || name === '' ? undefined : { ...named, search, name }
}

function typesOf({ read, streams }: Operation): string[] {
  return [...(read === undefined && streams !== undefined ? [] : [JSON_TYPE]), ...Object.keys(streams ?? {})]
}

/** All before the last segment. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The path of a target that is percent-encoded, has dots among its segments, or names a host as well: as the router reads it. */
function pathOf(target: string): string {
  const path = URL.parse(target, 'http://localhost')?.pathname ?? target
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
