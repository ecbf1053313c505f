import type { Rule, RuleHead } from '../rule.ts'

/** A line that is not blank, before it is parsed. */
export interface LineSubject {
  readonly text: string
  /** It was longer than a line may be; `text` is its beginning. */
  readonly overlong: boolean
  /** Its bytes were not UTF-8. */
  readonly malformed: boolean
  /** It parses only with its control characters escaped. */
  readonly hasControls: boolean
}

const NDJSON = 'Bulk Data: NDJSON'

/** What a line must be. */
export const LINE_RULES: readonly Rule<LineSubject>[] = [
  {
    id: 'ndjson-line-length',
    severity: 'error',
    right: 'a line has at most 1 MiB; a longer one is rejected',
    source: NDJSON,
    find: ({ overlong }) => (overlong ? 'line: got "more"' : undefined),
  },
  {
    id: 'ndjson-utf8',
    severity: 'error',
    right: 'files are UTF-8; in other encodings, names and addresses are misread',
    source: 'RFC 8259, 8.1',
    find: ({ malformed }) => (malformed ? 'line: got "bytes that are not UTF-8"' : undefined),
  },
  {
    id: 'ndjson-control-character',
    severity: 'warning',
    right: 'tabs and other control characters inside strings are escaped',
    source: 'RFC 8259, 7',
    find: ({ hasControls }) => (hasControls ? 'line: got "a raw control character"' : undefined),
  },
]

/** Of a manifest as well. */
export const BYTE_ORDER_MARK: Rule<Pick<FileEnd, 'hasByteOrderMark'>> = {
  id: 'ndjson-byte-order-mark',
  severity: 'warning',
  right: 'files have no byte order mark',
  source: 'RFC 8259, 8.1',
  find: ({ hasByteOrderMark }) => (hasByteOrderMark ? 'first bytes: got "EF BB BF"' : undefined),
}

/** A whole file, once its end has come. */
export interface FileEnd {
  readonly bytes: number
  readonly endsWithNewline: boolean
  readonly hasByteOrderMark: boolean
  readonly blankLines: number
  /** Lines that end in `\r\n`. */
  readonly returns: number
  /** Lines that are not blank. */
  readonly lines: number
  /** It begins like a JSON document over several lines. */
  readonly isPretty: boolean
  /** After all decoding, it still is gzip. */
  readonly isGzip: boolean
}

/** What a file must be. */
export const FILE_RULES: readonly Rule<FileEnd>[] = [
  {
    id: 'ndjson-gzip',
    severity: 'error',
    right: 'a gzip file is sent with `Content-Encoding: gzip`; otherwise its lines cannot be read',
    source: 'RFC 9110, 8.4',
    find: ({ isGzip }) => (isGzip ? 'first bytes: got "1F 8B"' : undefined),
  },
  {
    id: 'ndjson-pretty-printed',
    severity: 'error',
    right: 'each line is one complete resource: not an array, and not a resource over several lines',
    source: NDJSON,
    find: ({ isPretty }) => (isPretty ? 'first line: got "{" or "["' : undefined),
  },
  BYTE_ORDER_MARK,
  {
    id: 'ndjson-carriage-return',
    severity: 'hint',
    right: 'lines end with a line feed alone',
    source: NDJSON,
    find: ({ returns }) => (returns > 0 ? `lines that end in CR LF: got "${returns}"` : undefined),
  },
  {
    id: 'ndjson-blank-line',
    severity: 'hint',
    right: 'no line is blank',
    source: NDJSON,
    find: ({ blankLines }) => (blankLines > 0 ? `blank lines: got "${blankLines}"` : undefined),
  },
  {
    id: 'ndjson-final-newline',
    severity: 'hint',
    right: 'the last line ends with a line feed, so that a truncated file can be detected',
    source: NDJSON,
    find: ({ endsWithNewline, bytes }) =>
      endsWithNewline || bytes === 0 ? undefined : 'end: got "no line feed"',
  },
  {
    id: 'ndjson-empty-file',
    severity: 'hint',
    right: 'a listed file has lines',
    source: 'Manifest: output',
    find: ({ lines }) => (lines === 0 ? 'lines: got "0"' : undefined),
  },
]

/** Found by parsing. */
export const NOT_JSON: RuleHead = {
  id: 'ndjson-json',
  severity: 'error',
  right: 'a line is one JSON object; any other is rejected',
  source: NDJSON,
}
