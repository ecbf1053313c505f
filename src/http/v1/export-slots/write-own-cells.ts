// Hot path
import { csvCell } from '../../../lib/csv.ts'
import type { OwnJson } from './own-json.ts'

const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Writes a slot's own cells, of its own JSON; the columns are in its order. Returns where they end. */
export function writeOwnCells(json: Buffer, own: OwnJson, memory: Buffer, at: number): number {
  let end = copyPlain(json, own.idFrom, own.idTo, { memory, at })
  memory[end++] = COMMA
  end = copyPlain(json, own.statusFrom, own.statusTo, { memory, at: end })
  memory[end++] = COMMA
  end = copyPlain(json, own.startFrom, own.startTo, { memory, at: end })
  memory[end++] = COMMA
  end = copyPlain(json, own.endFrom, own.endTo, { memory, at: end })
  memory[end++] = COMMA
  if (own.linkTo > own.linkFrom) end = writeLink(json, own, memory, end)
  memory[end++] = COMMA
  return copyPlain(json, own.capacityFrom, own.capacityTo, { memory, at: end })
}

/** Copies what has nothing in it that CSV would need quotes for. By hand: for so few bytes a call costs more. */
function copyPlain(
  json: Buffer,
  from: number,
  to: number,
  { memory, at }: { memory: Buffer; at: number },
): number {
  let end = at
  for (let n = from; n < to; n++) memory[end++] = json[n]
  return end
}

/**
 * A JSON string without a backslash, with its quotes, is a cell of CSV as it stands; and a link, which begins with `http`, is no
 * formula.
 */
function writeLink(json: Buffer, { linkFrom, linkTo }: OwnJson, memory: Buffer, at: number): number {
  if (!hasEscape(json, linkFrom, linkTo)) return at + json.copy(memory, at, linkFrom, linkTo)
  return at + memory.write(csvCell(JSON.parse(json.toString('utf8', linkFrom, linkTo))), at)
}

function hasEscape(json: Buffer, from: number, to: number): boolean {
  for (let n = from; n < to; n++) if (json[n] === BACKSLASH) return true
  return false
}
