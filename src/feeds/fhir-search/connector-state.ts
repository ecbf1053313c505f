import { asObject } from '../../lib/json.ts'
import type { Source } from '../connector.ts'
import type { ServerVersion } from './server-version.ts'
import type { Includes } from './slot-query.ts'

/** What is to be known about a server when it is searched next. Kept as JSON with the snapshot that it led to. */
export interface FhirSearchState {
  /** Which source was read, and how: see `fhirSearchReaderId`. */
  readonly reader: string
  readonly version: ServerVersion
  /** How much the server agreed to send along. */
  readonly includes: Includes
  /** When version and includes were found out, in milliseconds since 1970. */
  readonly checkedAtMs: number
  /** Types that could be read by id. */
  readonly readable: readonly string[]
  /** Of all slots with what they lead to, and of all rejections. */
  readonly digest: string
}

/** To be raised when a newer reader understands the same bytes differently. */
const READER_VERSION = 1

/** Another source, URL, strictness, requestOptions of asking or version of this reader makes a memory worthless. */
export function fhirSearchReaderId({ slug, url, strict, options }: Source): string {
  return `fhir-search ${READER_VERSION} ${slug} ${strict ? 'strict' : 'lenient'} ${url} ${JSON.stringify(options)}`
}

/** The memory of the last snapshot of this source, or undefined if there is none that this reader wrote. */
export function parseFhirSearchState(memory: unknown, source: Source): FhirSearchState | undefined {
  return asObject(memory)?.reader === fhirSearchReaderId(source) ? (memory as FhirSearchState) : undefined
}
