import { asObject } from '../../lib/json.ts'
import type { Source } from '../connector.ts'
import type { Validators } from '../http/http-headers.ts'
import type { ListedFile } from './manifest.ts'

/** What is to be known about a publication when the next one is read. Kept as JSON with the snapshot that it led to. */
export interface SmartLinksState {
  /** What was read and how: another source, URL, requestOptions of asking, strictness or version of this reader makes the memory worthless. */
  readonly reader: string
  readonly manifest: Validators
  readonly publishedAtMs?: number
  readonly files: readonly FileState[]
  /** Of the directory that the slots were joined with. */
  readonly digest: string
  /** How many lines of directory files were rejected. */
  readonly directoryRejected: number
  /** When everything was last asked for without validators, in milliseconds since 1970. */
  readonly fullReadAtMs: number
}

/** A file with what it was when it was last read; its validators are of that reading. */
export interface FileState extends ListedFile, Validators {
  /** The connector's number of the file, from 0: unique within a publication, and the file's own as long as it is listed. */
  readonly part: number
  /** How many of its Slot lines were rejected. */
  readonly rejected: number
}

/** To be raised when a newer reader understands the same bytes differently. */
const READER_VERSION = 3

/** The name under which this reader remembers a source: see `SmartLinksState.reader`. */
export function smartLinksReaderId({ slug, url, strict, options }: Source): string {
  const { headers, query } = options
  const requestOptions =
    headers === undefined && query === undefined ? '' : ` ${JSON.stringify([headers, query])}`
  return `smart-links ${READER_VERSION} ${slug} ${strict ? 'strict' : 'lenient'} ${url}${requestOptions}`
}

/** The memory of the last snapshot of this source, or undefined if there is none that this reader wrote. */
export function parseSmartLinksState(memory: unknown, source: Source): SmartLinksState | undefined {
  return asObject(memory)?.reader === smartLinksReaderId(source) ? (memory as SmartLinksState) : undefined
}

/**
 * The files of a manifest with what is remembered of each. A new file takes the lowest number that is free, so that
 * a publisher who gives all files new names each time, in the same order, keeps their numbers.
 */
export function matchFiles(files: readonly ListedFile[], memory: SmartLinksState | undefined): FileState[] {
  const known = new Map(memory?.files.map((file) => [file.url, file]))
  const taken = new Set(files.map(({ url }) => known.get(url)?.part))
  let next = 0
  return files.map((file) => {
    const before = known.get(file.url)
    if (before !== undefined && String(before.types) === String(file.types)) return before
    while (before === undefined && taken.has(next)) next++
    return { ...file, part: before?.part ?? next++, rejected: 0 }
  })
}
