/** A cell of a table; what is absent is an empty cell. */
export type Cell = string | number | undefined

/**
 * A line of CSV (RFC 4180): what needs it in quotes, CRLF at the end.
 *
 * Programs that open such files take a text for a formula if it begins with one of a few signs, and formulas can send what is
 * beside them elsewhere. Whoever may name a key could so reach whoever exports; therefore such a text gets a `'` in front,
 * as OWASP advises ("CSV Injection").
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A download that browsers save under this name, which must be ASCII without quotes. */
export function csvResponse(fileName: string, body: string): Response {
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

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
