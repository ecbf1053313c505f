import { asObject } from '../../lib/json.ts'
import type { ServerKind } from '../../shared/source-vocabulary.ts'
import type { Source } from '../connector.ts'
import type { Includes, ServerVersion } from './server-profile.ts'

/** Connector state of a server, stored as JSON with the snapshot. */
export interface FhirSearchState {
  /** See `fhirSearchReaderId`. */
  readonly reader: string
  readonly version: ServerVersion
  /** The profile derived from the server's metadata. */
  readonly server?: ServerKind
  /** The includes that the server accepted. */
  readonly includes: Includes
  /** When version, server and includes were determined, in milliseconds since 1970. */
  readonly checkedAtMs: number
  /** Types that could be read by id. */
  readonly readable: readonly string[]
  /** Hash of all slots with their referenced resources, and of all rejections. */
  readonly digest: string
  /** Slots changed while they were read. */
  readonly isMixed?: boolean
}

/** Raise it when the reader interprets the same bytes differently. */
const READER_VERSION = 2

/** State is only valid for the same source, URL, strictness, request options and reader version. */
export function fhirSearchReaderId({ slug, url, strict, options }: Source): string {
  return `fhir-search ${READER_VERSION} ${slug} ${strict ? 'strict' : 'lenient'} ${url} ${JSON.stringify(options)}`
}

/** The state stored with the last snapshot; undefined if this reader did not write it. */
export function parseFhirSearchState(state: unknown, source: Source): FhirSearchState | undefined {
  return asObject(state)?.reader === fhirSearchReaderId(source) ? (state as FhirSearchState) : undefined
}
