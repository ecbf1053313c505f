import { LINE_BYTES_MAX } from './lines.ts'
import {
  breakIf,
  type Code,
  f64,
  get,
  I32,
  I64,
  i8x16,
  i32,
  i64,
  loop,
  moduleOf,
  returned,
  set,
  V128,
  when,
} from './wasm-assembler.ts'

/** Bytes that are added to a scan at most: as much as arrives from a socket at once. */
export const PIECE_BYTES = 65_536

/** Longer lines are not hashed. */
export const HASHED_BYTES_MAX = 4096

/** Two numbers of 64 bits for each term of the sum: 1, the length of the line, and its words of 32 bits. */
export const KEY_BYTES = 16 * (2 + HASHED_BYTES_MAX / 4)

/** In place of the fingerprint of a line that is too long. */
const NOT_HASHED = -1

interface LineScan {
  /**
   * Finds the lines of the input from `start` to before `end`; the first line end is not before `search`. Returns their number, and
   * leaves their columns. `mask` is applied to the low 32 bits of each fingerprint, by exclusive or.
   */
  run(start: number, search: number, end: number, mask: number): number
  readonly keys: Uint8Array<ArrayBuffer>
  /** Of the longest line and a piece. */
  readonly input: Buffer<ArrayBuffer>
  readonly fingerprints: Float64Array<ArrayBuffer>
  /** In the buffer of `input`; the last one is of the line that has not ended, if others have. */
  readonly starts: Int32Array<ArrayBuffer>
  /** Without line ends. */
  readonly lengths: Int32Array<ArrayBuffer>
}

const LINES_MAX = PIECE_BYTES
/** The scan reads up to 16 bytes beyond the end of its input. */
const SLACK_BYTES = 16

/** The memory: keys, the columns of the lines, input. */
const FINGERPRINTS = KEY_BYTES
const STARTS = FINGERPRINTS + 8 * LINES_MAX
const LENGTHS = STARTS + 4 * (LINES_MAX + 1)
const INPUT = LENGTHS + 4 * LINES_MAX
const INPUT_BYTES = LINE_BYTES_MAX + 1 + PIECE_BYTES
const MEMORY_BYTES = INPUT + INPUT_BYTES + SLACK_BYTES

/** Compiled once in a process, which takes some milliseconds. */
let module: WebAssembly.Module | undefined

/** Opens a memory of 2.3 MB, of which the system provides what is used. */
export function openLineScan(): LineScan {
  module ??= new WebAssembly.Module(moduleOf({ parameters: 4, locals: LOCALS, code: scanCode() }, MEMORY_BYTES))
  const { run, memory } = new WebAssembly.Instance(module).exports as unknown as Pick<LineScan, 'run'> & {
    memory: { buffer: ArrayBuffer }
  }
  const { buffer } = memory
  return {
    run: (start, search, end, mask) => run(INPUT + start, INPUT + search, INPUT + end, mask),
    keys: new Uint8Array(buffer, 0, KEY_BYTES),
    input: Buffer.from(buffer, INPUT, INPUT_BYTES),
    fingerprints: new Float64Array(buffer, FINGERPRINTS, LINES_MAX),
    starts: new Int32Array(buffer, STARTS, LINES_MAX + 1),
    lengths: new Int32Array(buffer, LENGTHS, LINES_MAX),
  }
}

// The variables of the function.
const [START, SEARCH, END, MASK, AT, ENDS, COUNT, LENGTH, WORD_AT, KEY_AT] = Array.from({ length: 10 }, (_, n) => n)
const [HIGH_SUM, LOW_SUM, WORDS] = [10, 11, 12]
const NEWLINES = 13
const LOCALS = [I32, I32, I32, I32, I32, I32, I64, I64, I64, V128]

const NEWLINE = 10
const RETURN = 13
const VECTOR_BYTES = 16

/** 16 bytes at once are searched for line ends. */
function scanCode(): Code {
  const { add, constant } = i32
  const lineEnd = add(get(AT), i32.trailingZeros(get(ENDS)))
  return [
    set(NEWLINES, i8x16.splat(constant(NEWLINE))),
    set(AT, get(SEARCH)),
    loop([
      breakIf(i32.isAtLeast(get(AT), get(END))),
      set(ENDS, i8x16.equalBits(i8x16.load(get(AT)), get(NEWLINES))),
      loop([
        breakIf(i32.isZero(get(ENDS))),
        // Beyond the end are bytes of earlier scans.
        when(i32.isAtLeast(lineEnd, get(END)), returned(get(COUNT))),
        set(LENGTH, i32.subtract(lineEnd, get(START))),
        lineCode(),
        set(START, add(lineEnd, constant(1))),
        i32.store(i32.multiply(get(COUNT), constant(4)), get(START), STARTS),
        set(ENDS, i32.and(get(ENDS), i32.subtract(get(ENDS), constant(1)))),
      ]),
      set(AT, add(get(AT), constant(VECTOR_BYTES))),
    ]),
    get(COUNT),
  ]
}

/** Adds the line at `START` of `LENGTH` bytes to the columns. */
function lineCode(): Code {
  const { add, constant, multiply } = i32
  const lastByte = i32.loadByte(i32.subtract(add(get(START), get(LENGTH)), constant(1)))
  const fingerprintAt = multiply(get(COUNT), constant(8))
  const numberAt = multiply(get(COUNT), constant(4))
  return [
    when(
      i32.isGreater(get(LENGTH), constant(0)),
      when(i32.equal(lastByte, constant(RETURN)), set(LENGTH, i32.subtract(get(LENGTH), constant(1)))),
    ),
    i32.store(numberAt, get(START), STARTS),
    i32.store(numberAt, get(LENGTH), LENGTHS),
    f64.store(fingerprintAt, f64.of(i64.constant(NOT_HASHED)), FINGERPRINTS),
    when(i32.isAtLeast(constant(HASHED_BYTES_MAX), get(LENGTH)), [
      hashCode(),
      f64.store(fingerprintAt, f64.of(fingerprintCode()), FINGERPRINTS),
    ]),
    set(COUNT, add(get(COUNT), constant(1))),
  ]
}

/** Sets both sums to their values for the line. Two words at once. */
function hashCode(): Code {
  const { add, constant, subtract } = i32
  const lengthTerm = (offset: number) =>
    i64.add(i64.load(constant(0), offset), i64.multiply(i64.of(get(LENGTH)), i64.load(constant(0), offset + 16)))
  const bytesLeft = subtract(add(get(START), get(LENGTH)), get(WORD_AT))
  const bitsLeft = i64.of(i32.multiply(bytesLeft, constant(8)))
  const ones = i64.subtract(i64.shiftLeft(i64.constant(1), bitsLeft), i64.constant(1))
  return [
    set(HIGH_SUM, lengthTerm(0)),
    set(LOW_SUM, lengthTerm(8)),
    set(WORD_AT, get(START)),
    set(KEY_AT, constant(32)),
    loop([
      breakIf(i32.isGreater(constant(8), bytesLeft)),
      set(WORDS, i64.load(get(WORD_AT))),
      addWordsCode(),
      set(WORD_AT, add(get(WORD_AT), constant(8))),
      set(KEY_AT, add(get(KEY_AT), constant(32))),
    ]),
    // Zeros in place of the bytes after the line.
    set(WORDS, i64.and(i64.load(get(WORD_AT)), ones)),
    addWordsCode(),
  ]
}

function addWordsCode(): Code {
  const first = i64.and(get(WORDS), i64.constant(0xffff_ffff))
  const second = i64.shiftRight(get(WORDS), i64.constant(32))
  const withBoth = (sum: number, offset: number) =>
    i64.add(
      get(sum),
      i64.add(
        i64.multiply(first, i64.load(get(KEY_AT), offset)),
        i64.multiply(second, i64.load(get(KEY_AT), offset + 16)),
      ),
    )
  return [set(HIGH_SUM, withBoth(HIGH_SUM, 0)), set(LOW_SUM, withBoth(LOW_SUM, 8))]
}

/** The upper 26 bits of both sums. */
function fingerprintCode(): Code {
  const upper = (sum: number) => i64.shiftRight(get(sum), i64.constant(64 - 26))
  return i64.xor(i64.or(i64.shiftLeft(upper(HIGH_SUM), i64.constant(26)), upper(LOW_SUM)), i64.of(get(MASK)))
}
