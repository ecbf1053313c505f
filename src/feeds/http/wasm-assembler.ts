/** Bytes of instructions, nested, in order. An expression leaves one value, which the next instruction uses. */
export type Code = readonly (number | Code)[]

/** Number types of WebAssembly. */
export const I32 = 0x7f
export const I64 = 0x7e
export const V128 = 0x7b

/** Instructions of WebAssembly in the notation of a function call: `i64.mul(get(1), constant(2))`. */
export const get = (local: number): Code => [0x20, local]
export const set = (local: number, value: Code): Code => [value, 0x21, local]
export const returned = (value: Code): Code => [value, 0x0f]

/** Runs the code until it breaks off. */
export const loop = (code: Code): Code => [0x02, EMPTY, 0x03, EMPTY, code, 0x0c, 0, END, END]
/** Leaves the loop in whose code it stands directly. */
export const breakIf = (condition: Code): Code => [condition, 0x0d, 1]
export const when = (condition: Code, code: Code): Code => [condition, 0x04, EMPTY, code, END]

export const i32 = {
  constant: (value: number): Code => [0x41, signed(value)],
  add: (a: Code, b: Code): Code => [a, b, 0x6a],
  subtract: (a: Code, b: Code): Code => [a, b, 0x6b],
  multiply: (a: Code, b: Code): Code => [a, b, 0x6c],
  and: (a: Code, b: Code): Code => [a, b, 0x71],
  trailingZeros: (a: Code): Code => [a, 0x68],
  equal: (a: Code, b: Code): Code => [a, b, 0x46],
  isZero: (a: Code): Code => [a, 0x45],
  isGreater: (a: Code, b: Code): Code => [a, b, 0x4a],
  isAtLeast: (a: Code, b: Code): Code => [a, b, 0x4e],
  loadByte: (address: Code, offset = 0): Code => [address, 0x2d, 0, unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [address, value, 0x36, 2, unsigned(offset)],
}

export const i64 = {
  constant: (value: number): Code => [0x42, signed(value)],
  of: (value: Code): Code => [value, 0xad],
  add: (a: Code, b: Code): Code => [a, b, 0x7c],
  subtract: (a: Code, b: Code): Code => [a, b, 0x7d],
  multiply: (a: Code, b: Code): Code => [a, b, 0x7e],
  and: (a: Code, b: Code): Code => [a, b, 0x83],
  or: (a: Code, b: Code): Code => [a, b, 0x84],
  xor: (a: Code, b: Code): Code => [a, b, 0x85],
  shiftLeft: (a: Code, b: Code): Code => [a, b, 0x86],
  shiftRight: (a: Code, b: Code): Code => [a, b, 0x88],
  /** Of any alignment. */
  load: (address: Code, offset = 0): Code => [address, 0x29, 0, unsigned(offset)],
}

export const f64 = {
  of: (signedInteger: Code): Code => [signedInteger, 0xb9],
  store: (address: Code, value: Code, offset = 0): Code => [address, value, 0x39, 3, unsigned(offset)],
}

export const i8x16 = {
  /** Of any alignment. */
  load: (address: Code): Code => [address, 0xfd, 0x00, 0, 0],
  splat: (byte: Code): Code => [byte, 0xfd, 0x0f],
  /** One bit for each byte that is equal. */
  equalBits: (a: Code, b: Code): Code => [a, b, 0xfd, 0x23, 0xfd, 0x64],
}

interface FunctionOfIntegers {
  readonly parameters: number
  /** The types of its other variables, which are numbered after the parameters. */
  readonly locals: readonly number[]
  readonly code: Code
}

/** A module of one function of 32-bit integers that returns one, exported as `run`, with a memory of its own. */
export function moduleOf(
  { parameters, locals, code }: FunctionOfIntegers,
  memoryBytes: number,
): Uint8Array<ArrayBuffer> {
  const pages = Math.ceil(memoryBytes / PAGE_BYTES)
  const body = bytesOf([vector(locals.map((type) => [1, type])), code, END])
  return Uint8Array.from(
    bytesOf([
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [[0x60, vector(Array.from({ length: parameters }, () => I32)), vector([I32])]]),
      section(3, [0]),
      section(5, [[1, unsigned(pages), unsigned(pages)]]),
      section(7, [
        [text('run'), 0, 0],
        [text('memory'), 2, 0],
      ]),
      section(10, [[unsigned(body.length), body]]),
    ]),
  )
}

const PAGE_BYTES = 65_536
const EMPTY = 0x40
const END = 0x0b

function section(id: number, entries: Code): Code {
  const content = bytesOf(vector(entries))
  return [id, unsigned(content.length), content]
}

function vector(entries: Code): Code {
  return [unsigned(entries.length), entries]
}

function text(name: string): Code {
  return vector([...Buffer.from(name)])
}

function bytesOf(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? [part] : bytesOf(part)))
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, unsigned(value >>> 7)]
}

/** Of a value of more than 32 bits, too. */
function signed(value: number): Code {
  const rest = Math.floor(value / 0x80)
  const low = value - rest * 0x80
  const isLast = rest === (low < 0x40 ? 0 : -1)
  return isLast ? [low] : [low | 0x80, signed(rest)]
}
