/** A cell: numbers stand to the right, what is absent is a dash. */
export type Cell = string | number | undefined

/** Plain aligned columns under their headings, two spaces apart. */
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

/** Text of others without what would make a terminal do something: control characters become spaces. */
export function plainText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** A moment for people: ISO 8601 in UTC, to the second. */
export function formatSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** A moment for programs: RFC 3339 in UTC, to the millisecond. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

function cellText(cell: Cell): string {
  return cell === undefined ? '-' : plainText(String(cell))
}
