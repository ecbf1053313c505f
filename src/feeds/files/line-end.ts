/** Whether what was read so far ends with a line end. True of nothing at all. */
export interface LineEnd {
  isThere: boolean
}

/** The same content, while `end` follows how it ends. */
export async function* watchLineEnd(content: AsyncIterable<Buffer>, end: LineEnd): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    if (piece.length > 0) end.isThere = LINE_ENDS.has(piece[piece.length - 1])
    yield piece
  }
}

const LINE_ENDS: ReadonlySet<number> = new Set([10, 13])
