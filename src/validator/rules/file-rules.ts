import type { Json } from '../../lib/json.ts'
import type { ObservedBody } from '../observed-body.ts'
import { errorRule, hintRule, quote, type Rule, stringOrEmpty, warningRule } from '../rule.ts'

/** A non-blank line before parsing. */
interface LineSubject {
  readonly text: string
  /** True if it exceeds the length limit; `text` is its beginning. */
  readonly overlong: boolean
  /** True if its bytes are not UTF-8. */
  readonly malformed: boolean
  /** True if it parses only with its control characters escaped. */
  readonly hasControls: boolean
}

const NDJSON = 'Bulk Data: NDJSON'

/** Rules for lines. */
export const LINE_RULES: readonly Rule<LineSubject>[] = [
  errorRule('ndjson-line-length', {
    right: 'a line has at most 1 MiB; a longer one is rejected',
    source: NDJSON,
    find: ({ overlong }) => (overlong ? 'the line is longer than 1 MiB' : undefined),
  }),
  errorRule('ndjson-utf8', {
    right: 'files are UTF-8; in other encodings, names and addresses are misread',
    source: 'RFC 8259, 8.1',
    find: ({ malformed }) => (malformed ? 'the bytes are not UTF-8' : undefined),
  }),
  warningRule('ndjson-control-character', {
    right: 'tabs and other control characters inside strings are escaped',
    source: 'RFC 8259, 7',
    find: ({ hasControls }) => (hasControls ? 'the line contains a raw control character' : undefined),
  }),
]

/** Applies to manifests too. */
export const BYTE_ORDER_MARK: Rule<{ readonly body: Pick<ObservedBody, 'hasByteOrderMark'> }> = warningRule(
  'ndjson-byte-order-mark',
  {
    right: 'files have no byte order mark',
    source: 'RFC 8259, 8.1',
    find: ({ body }) => (body.hasByteOrderMark ? 'first bytes: got "EF BB BF"' : undefined),
  },
)

/** Also apply to a file whose lines cannot be read. */
export const FORM_RULES: readonly Rule<{ readonly body: ObservedBody }>[] = [
  errorRule('ndjson-gzip', {
    right: 'a gzip file is sent with `Content-Encoding: gzip`; otherwise its lines cannot be read',
    source: 'RFC 9110, 8.4',
    find: ({ body }) => (body.isGzip ? 'first bytes: got "1F 8B"' : undefined),
  }),
  errorRule('ndjson-pretty-printed', {
    right: 'each line is one complete resource: not an array, and not a resource over several lines',
    source: NDJSON,
    find: ({ body }) => (body.isPretty ? 'first line: got "{" or "["' : undefined),
  }),
]

/** A file that was read completely. */
interface FileEnd {
  readonly body: ObservedBody
  readonly blankLines: number
  /** Number of non-blank lines. */
  readonly lines: number
}

/** Rules for files. */
export const FILE_RULES: readonly Rule<FileEnd>[] = [
  ...FORM_RULES,
  BYTE_ORDER_MARK,
  hintRule('ndjson-carriage-return', {
    right: 'lines end with a line feed alone',
    source: NDJSON,
    find: ({ body }) => (body.crlfLines > 0 ? `lines that end in CR LF: got "${body.crlfLines}"` : undefined),
  }),
  hintRule('ndjson-blank-line', {
    right: 'no line is blank',
    source: NDJSON,
    find: ({ blankLines }) => (blankLines > 0 ? `blank lines: got "${blankLines}"` : undefined),
  }),
  hintRule('ndjson-final-newline', {
    right: 'the last line ends with a line feed, so that a truncated file can be detected',
    source: NDJSON,
    find: ({ body }) =>
      body.endsWithNewline || body.bytes === 0 ? undefined : 'the file does not end with a line feed',
  }),
  hintRule('ndjson-empty-file', {
    right: 'a listed file has lines',
    source: 'Manifest: output',
    find: ({ lines }) => (lines === 0 ? 'lines: got "0"' : undefined),
  }),
]

/** Checked on parsing. */
export const NOT_JSON = errorRule('ndjson-json', {
  right: 'a line is one JSON object; any other is rejected',
  source: NDJSON,
})

/** A file that was read completely, with the size that the manifest states. */
interface SizeSubject {
  /** The entry; the last one if the file is listed several times. */
  readonly entry: Json
  /** The listed types: an entry of several counts the lines of one. */
  readonly types: readonly string[]
  /** Number of non-blank lines. */
  readonly lines: number
  readonly bytes: number
  /** The number of bytes sent; absent if unknown. */
  readonly contentLength?: number
}

/** Rules that compare the size of a file with its manifest entry. */
export const SIZE_RULES: readonly Rule<SizeSubject>[] = [
  warningRule('output-count', {
    right: '`count` is the number of lines of the file; otherwise the file is truncated or from another publication',
    source: 'Bulk Data: manifest, output.count',
    find: ({ entry: { count }, types, lines }) =>
      count === undefined || types.length > 1 || count === lines
        ? undefined
        : `${quote('count', count)} of a file of ${lines} lines`,
  }),
  warningRule('output-file-size', {
    right: '`fileSize` is the number of bytes of the file; otherwise the file is truncated or from another publication',
    source: 'Bulk Data 4: manifest, output.fileSize',
    find: ({ entry: { fileSize }, bytes, contentLength }) =>
      fileSize === undefined || fileSize === bytes || fileSize === contentLength
        ? undefined
        : `${quote('fileSize', fileSize)} of a file of ${bytes} bytes`,
  }),
]

/** A file that was read completely, with its manifest entry. */
export interface ListedSubject {
  /** The listed types, and those that occurred in the file. */
  readonly types: readonly string[]
  readonly typesFound: ReadonlySet<string>
  /** Number of non-blank lines. */
  readonly lines: number
  /** The states of the manifest entry. */
  readonly statesNamed: readonly unknown[]
  /** The states of the Locations of its slots; licensed states are not included. */
  readonly statesFound: ReadonlySet<string>
}

/** Rules that compare a file with its manifest entry. */
export const LISTED_RULES: readonly Rule<ListedSubject>[] = [
  warningRule('output-type-absent', {
    right: 'a file contains resources of each type under which it is listed',
    source: 'Manifest: output.type',
    find: ({ types, typesFound, lines }) => {
      const absent = types.filter((type) => !typesFound.has(type))
      return lines === 0 || absent.length === 0 ? undefined : `no ${absent.join(', ')} in the file`
    },
  }),
  warningRule('output-state-differs', {
    right: '`state` names all states of the slots in the file: clients that select files by state miss the others',
    source: 'Manifest: output.extension.state; guide: sched-4',
    find: ({ statesNamed, statesFound, types }) => {
      if (statesNamed.length === 0 || types.length > 1) return undefined
      // A region of another country may be named without it.
      const isNamed = (state: string) =>
        statesNamed.some((name) => state === name || state.endsWith(`-${stringOrEmpty(name)}`))
      const missed = [...statesFound].filter((state) => !isNamed(state)).sort()
      return missed.length === 0
        ? undefined
        : `${quote('extension.state', statesNamed)} of a file with slots in ${missed.slice(0, 10).join(', ')}`
    },
  }),
]
