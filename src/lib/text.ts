/** Of `Rejected.reason` and `Rejected.sample`, in characters. */
export const REASON_LENGTH_MAX = 300
export const SAMPLE_LENGTH_MAX = 500

/**
 * Words about what others wrote, in one line: control characters become spaces, and halves of characters the sign for that.
 * They would move a terminal's cursor, forge a line of a report, or be refused by a database (PostgreSQL knows no zero).
 */
export function oneLine(text: string): string {
  return (CONTROL.test(text) ? text.replace(CONTROLS, ' ') : text).toWellFormed()
}

/**
 * The text, or its beginning with a mark. Whoever cuts a part of a sentence does it so: a secret that is taken out later is then
 * known by its beginning.
 */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
}

/** The reason of a rejection: `oneLine()`, at most 300 characters. */
export function reasonText(text: string): string {
  return oneLine(text.slice(0, REASON_LENGTH_MAX))
}

/** The beginning of a line as it came, at most 500 characters; zeros and halves of characters become the sign for that. */
export function sampleText(text: string): string {
  return text.slice(0, SAMPLE_LENGTH_MAX).replaceAll('\0', '\ufffd').toWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f-\x9f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g
