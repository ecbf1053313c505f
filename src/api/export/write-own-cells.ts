// Hot path
import { csvCell } from './csv-cell.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const ID_FROM = '{"id":"'.length
const ID_LENGTH = 24
const STATUS_FROM = ID_FROM + ID_LENGTH + '","status":"'.length
const BEFORE_START = '","start":"'.length
const BEFORE_END = '","end":"'.length
const BEFORE_LINK = ',"bookingDeepLink":'.length
const BEFORE_CAPACITY = ',"capacity":'.length
/** The letter that tells `,"bookingDeepLink"` from `,"capacity"`. */
const LETTER_AT = 2
const LETTER_B = 0x62

/**
 * Writes a slot's own cells, of what `encodeSlot()` made, which stands in `json` from one place to before another. Returns
 * where they end. The order of the columns is that of the JSON, so it is read once, from left to right.
 */
export function writeOwnCells(
  json: Buffer,
  from: number,
  to: number,
  { memory, at }: { memory: Buffer; at: number },
): number {
  let end = copyPlain(json, from + ID_FROM, memory, at)
  memory[end++] = COMMA
  let read = from + STATUS_FROM
  for (const gap of [BEFORE_START, BEFORE_END, 1]) {
    const before = end
    end = copyPlain(json, read, memory, end)
    read += end - before + gap
    memory[end++] = COMMA
  }
  if (read < to && json[read + LETTER_AT] === LETTER_B) {
    const after = closingQuote(json, read + BEFORE_LINK + 1) + 1
    end = writeLink(json, read + BEFORE_LINK, after, { memory, at: end })
    read = after
  }
  memory[end++] = COMMA
  for (let n = read + BEFORE_CAPACITY; n < to; n++) memory[end++] = json[n]
  return end
}

/** Copies up to the next quote what has nothing in it that CSV would need quotes for: ids, statuses, times. */
function copyPlain(json: Buffer, from: number, memory: Buffer, at: number): number {
  let end = at
  for (let n = from; json[n] !== QUOTE; n++) memory[end++] = json[n]
  return end
}

/** Where the JSON string ends that stands open. */
function closingQuote(json: Buffer, from: number): number {
  let n = from
  while (json[n] !== QUOTE) n += json[n] === BACKSLASH ? 2 : 1
  return n
}

/**
 * A JSON string without a backslash, with its quotes, is a cell of CSV as it stands; and a link, which begins with `http`, is no
 * formula.
 */
function writeLink(
  json: Buffer,
  from: number,
  to: number,
  { memory, at }: { memory: Buffer; at: number },
): number {
  if (!hasEscape(json, from, to)) return at + json.copy(memory, at, from, to)
  return at + memory.write(csvCell(JSON.parse(json.toString('utf8', from, to))), at)
}

function hasEscape(json: Buffer, from: number, to: number): boolean {
  for (let n = from; n < to; n++) if (json[n] === BACKSLASH) return true
  return false
}
