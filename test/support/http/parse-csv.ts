/** Reads CSV with a line of headers, as RFC 4180 says and no more leniently: every line is one of as many cells as there are headers. */
export function parseCsv(text: string): Record<string, string>[] {
  const [headers, ...lines] = parseLines(text)
  return lines.map((cells) => {
    if (cells.length !== headers.length)
      throw new Error(`Cannot read CSV: a line must have ${headers.length} cells: got ${cells.length}`)
    return Object.fromEntries(cells.map((cell, n) => [headers[n], cell]))
  })
}

function parseLines(text: string): string[][] {
  const lines: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) throw new Error('Cannot read CSV: it must be as RFC 4180 says')
    lines.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2])
    if (found[3] === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}
