/** A value of a CSV row; an absent value is an empty cell. */
export type Cell = string | number | undefined

/** A line of CSV (RFC 4180), CRLF at its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell))).join(',')}\r\n`
}

/** A text as a cell: guarded against formula injection, and in quotes where RFC 4180 requires them. */
export function csvCell(text: string | undefined): string {
  if (text === undefined) return ''
  const guarded = guardFormula(text)
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A download that browsers save under this name, which must be ASCII without quotes. */
export function csvResponse(fileName: string, body: BodyInit): Response {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${fileName}"`,
  }
  return new Response(body, { headers })
}

/** RFC 3339, UTC. */
export function csvTime(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Prefixes a text that a spreadsheet would run as a formula with `'` (OWASP, "CSV Injection"). Publishers and members of an
 * organization choose the texts, and a formula can send the cells beside it elsewhere.
 */
function guardFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}

/** With the full-width forms of the signs, which spreadsheets read as the same. */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
