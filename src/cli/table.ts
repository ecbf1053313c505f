import { singleLine } from '../lib/text.ts'

/** Numbers are right-aligned; undefined is a dash. */
type Cell = string | number | undefined

/** Formats rows as aligned columns, each with its heading, or `empty` if there are none. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  empty?: string,
): string {
  if (rows.length === 0 && empty !== undefined) return empty
  const aligned = Object.entries(columns).map(([heading, cellOf]) => {
    const cells = rows.map(cellOf)
    const texts = [heading, ...cells.map(cellText)]
    const width = Math.max(...texts.map((text) => text.length))
    return texts.map((text) => (typeof cells[0] === 'number' ? text.padStart(width) : text.padEnd(width)))
  })
  const lines = [undefined, ...rows].map((_, line) => aligned.map((column) => column[line]).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** ISO 8601 in UTC, to the second, for text output. */
export function formatSeconds(at: number | string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** How long something took, to a tenth of a second, for text output. */
export function elapsedText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** RFC 3339 in UTC, to the millisecond, for JSON output. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

/** `formatInstant()` of times that may be absent, for JSON output. */
export function formatInstants<Name extends string>(
  times: Readonly<Record<Name, number | undefined>>,
): { readonly [Each in Name]?: string } {
  const known = Object.entries<number | undefined>(times).flatMap(([name, ms]) =>
    ms === undefined ? [] : [[name, formatInstant(ms)]],
  )
  return Object.fromEntries(known)
}

function cellText(cell: Cell): string {
  return cell === undefined ? '-' : singleLine(String(cell))
}
