// Hot path

/** Bytes, and a view of the same memory. */
export interface ByteBlock {
  readonly bytes: Buffer
  readonly view: DataView
}

/** The room that a target needs behind what is copied to it. */
export const COPY_SLACK = 8

export function byteBlock(bytes: Buffer): ByteBlock {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/**
 * Copies bytes [from, to) and returns the end. Texts are short, so a call of `Buffer.copy()` takes longer than the copy: it moves eight
 * bytes at a time, and leaves up to `COPY_SLACK` undefined bytes behind the end.
 */
export function copyBytes(source: ByteBlock, from: number, to: number, target: ByteBlock, at: number): number {
  const wide = Math.min(to, source.bytes.length - 7)
  let next = from
  let end = at
  for (; next < wide; next += 8, end += 8) target.view.setBigUint64(end, source.view.getBigUint64(next, true), true)
  // Only at the end of the source.
  for (; next < to; next++) target.bytes[end++] = source.bytes[next]
  return at + to - from
}
