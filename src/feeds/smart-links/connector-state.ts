import { asObject } from '../../lib/json.ts'
import type { Source } from '../connector.ts'
import type { Validators } from '../http/response.ts'
import type { ListedFile } from './manifest.ts'

/** The state of the connector after a publication, for reading the next one. Stored as JSON with the snapshot. */
export interface SmartLinksState {
  /** Identifies what was read and how. The state is only valid for the same reader: see `smartLinksReaderId()`. */
  readonly reader: string
  readonly manifest: Validators
  readonly publishedAtMs?: number
  readonly updateCadenceMs?: number
  readonly filesArePublic?: boolean
  readonly files: readonly FileState[]
  /** Digest of the directory that the slots were joined with. */
  readonly digest: string
  /** Of the fingerprints of lines: see `newLineKey()`. */
  readonly lineKey: string
  /** How many lines of directory files were rejected. */
  readonly directoryRejected: number
  /** When all files were last requested without validators, in milliseconds since 1970. */
  readonly fullReadAtMs: number
}

/** A file and its validators when it was last read. */
export interface FileState extends ListedFile, Validators {
  /** The connector's number of the file, from 0: unique within a publication, and unchanged while the file is listed. */
  readonly part: number
  /** How many of its Slot lines were rejected: it is read again to count them. */
  readonly rejected: number
  /** How many of its lines were read as slots. Absent if unknown: before it is read, and in states of older versions. */
  readonly slots?: number
  /** How many of its lines are valid but never served. */
  readonly withheld?: number
  /** Its publisher says that it never changes. */
  readonly immutable?: boolean
}

/** Increment when a newer reader interprets the same bytes differently. */
const READER_VERSION = 7

/** Another source, URL, strictness, request option or version of this reader gives another id. */
export function smartLinksReaderId({ slug, url, strict, options }: Source): string {
  const { headers, query } = options
  const requestOptions = headers === undefined && query === undefined ? '' : ` ${JSON.stringify([headers, query])}`
  return `smart-links ${READER_VERSION} ${slug} ${strict ? 'strict' : 'lenient'} ${url}${requestOptions}`
}

/** The state after the last snapshot of this source; undefined if this reader wrote none. */
export function parseSmartLinksState(state: unknown, source: Source): SmartLinksState | undefined {
  return asObject(state)?.reader === smartLinksReaderId(source) ? (state as SmartLinksState) : undefined
}

/**
 * The files of a manifest with their last state. A new file takes the lowest free number, so that files which get new names
 * each time, in the same order, keep their numbers.
 */
export function matchFiles(files: readonly ListedFile[], lastState: SmartLinksState | undefined): FileState[] {
  const known = new Map(lastState?.files.map((file) => [file.url, file]))
  const taken = new Set(files.map(({ url }) => known.get(url)?.part))
  let next = 0
  return files.map((file) => {
    const before = known.get(file.url)
    if (before !== undefined && String(before.types) === String(file.types)) return before
    while (before === undefined && taken.has(next)) next++
    return { ...file, part: before?.part ?? next++, rejected: 0 }
  })
}
