import { asObject, got, isObject, type Json } from '../../lib/json.ts'
import { RESOURCE_TYPES } from '../../slot/slot.ts'
import type { Rejected } from '../connector.ts'
import { DirectorySize } from '../directory-size.ts'
import type { FeedResource, LineOutcome } from '../feed-resources.ts'
import { idOf, parseReference } from '../fhir/data-types.ts'
import { Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { SCHEDULING_LOCATION } from '../fhir/scheduling-location.ts'
import { fingerprint } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import type { ListedFile } from './manifest.ts'

/** The types of the resources that slots refer to. */
export const REFERRED_TYPES = RESOURCE_TYPES.filter(isDirectoryResourceType)

/** Reads a line as a resource of a feed that identifies resources by type and id. Throws `InvalidData`. */
export function parseFeedResource(
  text: string,
  { file, line, strict }: { file: ListedFile; line: number; strict: boolean },
): FeedResource {
  const resource = parseResource(text, strict)
  const { types, url } = file
  const type = resource.resourceType ?? (types.length === 1 && !strict ? types[0] : undefined)
  if (typeof type !== 'string' || !types.includes(type))
    throw new InvalidData(`resourceType must be ${types.join(' or ')}: ${got(resource.resourceType)}`)
  // PostgreSQL stores no NUL, which a lenient reader allows in strings.
  const json = text.includes('\0') ? JSON.stringify(resource) : text
  const schedule = type === 'Slot' ? parseReference(asObject(resource.schedule) ?? {})?.id : undefined
  return { type, id: idOf(resource, strict), file: url, line, json, ...(schedule !== undefined && { schedule }) }
}

/** The slots of a feed as its resources make them, at one time. */
export class FeedView {
  readonly directory: Directory
  /** Why resources are not in the directory, by `Type/id`. */
  readonly rejections = new Map<string, Rejected>()
  readonly #part: number
  readonly #size = new DirectorySize()

  /** `part`: of all slots. */
  constructor(publisher: string, { strict, part }: { strict: boolean; part: number }) {
    this.directory = new Directory(publisher, strict)
    this.#part = part
  }

  /** Adds a resource to the directory, or its rejection. Throws `FeedFailure` if the directory becomes too large. */
  add(resource: FeedResource): void {
    const { type, json } = resource
    this.#size.add(json.length, resource.file)
    try {
      if (isDirectoryResourceType(type)) this.directory.put(type, parseResource(json, this.directory.strict))
    } catch (error) {
      this.rejections.set(nameOf(resource), rejectionAt(error, resource))
    }
  }

  /** Identifies the line of a Slot. */
  fingerprintOf({ json }: FeedResource): number {
    return fingerprint(Buffer.from(json), this.#part)
  }

  outcomeOf(resource: FeedResource): LineOutcome {
    const { file, line, json } = resource
    try {
      const slot = readSlot(parseResource(json, this.directory.strict), this.directory)
      if (slot === undefined) return { withheld: true }
      return { slot, origin: { file, line, part: this.#part, fingerprint: this.fingerprintOf(resource) } }
    } catch (error) {
      return { rejected: rejectionAt(error, resource) }
    }
  }
}

/** The ids of all resources that a resource refers to. */
export function referencedIds({ json }: FeedResource, strict: boolean): Set<string> {
  const ids = new Set<string>()
  collectReferences(parsedOrEmpty(json, strict), ids, 0)
  return ids
}

/** Whether a Slot may name its Location itself: an escape may hide the name of the extension. */
export function mayNamePlace({ json }: FeedResource): boolean {
  return json.includes(SCHEDULING_LOCATION) || json.includes('\\u')
}

/** `Type/id`. */
export function nameOf({ type, id }: Pick<FeedResource, 'type' | 'id'>): string {
  return `${type}/${id}`
}

function rejectionAt(error: unknown, { file, line, json }: FeedResource): Rejected {
  return rejectionOf(error, { what: 'line', file, line, sample: json.slice(0, SAMPLE_MAX) })
}

const SAMPLE_MAX = 2000

function parsedOrEmpty(json: string, strict: boolean): Json {
  try {
    return parseResource(json, strict)
  } catch (error) {
    if (error instanceof InvalidData) return {}
    throw error
  }
}

/** No element of FHIR that refers to an actor is nested deeper. */
const DEPTH_MAX = 12

function collectReferences(value: unknown, ids: Set<string>, depth: number): void {
  if (depth > DEPTH_MAX) return
  if (Array.isArray(value)) for (const each of value) collectReferences(each, ids, depth + 1)
  if (!isObject(value)) return
  const target = parseReference(value)
  if (target !== undefined) ids.add(target.id)
  for (const each of Object.values(value)) if (typeof each === 'object') collectReferences(each, ids, depth + 1)
}
