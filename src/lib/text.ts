/**
 * Text from others on a single line: control characters become spaces, unpaired surrogates U+FFFD. Control characters would
 * move a terminal's cursor, forge a line of a report, or be refused by a database (PostgreSQL stores no NUL).
 */
export function singleLine(text: string): string {
  return (CONTROL.test(text) ? text.replace(CONTROLS, ' ') : text).toWellFormed()
}

/** The text, or its beginning and "…", `lengthMax` characters in all. The secret filter knows a cut secret by this mark. */
export function truncate(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
}

/** `12,480`. */
export function groupDigits(count: number): string {
  return count.toLocaleString('en-US')
}

/** `1 slot`, `63,900 slots`. */
export function counted(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Text as HTML, for content and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character])
}

/** The stack of an error, or its message: for logs. */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The message of an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of Node.js or a database, such as `ENOENT`; undefined without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const CONTROL = /[\x00-\x1f\x7f-\x9f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** FNV-1a over the characters: 32 bits. Not for untrusted keys of a table. */
export function hashText(text: string): number {
  let hash = 0x811c_9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x0100_0193)
  return hash >>> 0
}

/** Whether a text is percent-encoded UTF-8 (RFC 3986, 2.1). */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
