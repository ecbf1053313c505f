/** Numbers are right-aligned; undefined is a dash. */
type Cell = string | number | undefined

/** Formats aligned columns with headings. */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(cellText))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          typeof rows[0]?.[column] === 'number' ? text.padStart(widths[column]) : text.padEnd(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Replaces control characters in foreign text, which could control the terminal, by spaces. */
export function plainText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** ISO 8601 in UTC, to the second, for text output. */
export function formatSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** RFC 3339 in UTC, to the millisecond, for JSON output. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

function cellText(cell: Cell): string {
  return cell === undefined ? '-' : plainText(String(cell))
}
