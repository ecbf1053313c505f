// Hot path
import type { Steps } from '../../lib/steps.ts'
import type { RunState } from './levels.ts'
import type { Run } from './run.ts'

/** The runs [begin, end) of a level. */
interface Block {
  readonly begin: number
  readonly end: number
}

/** Number of rows of some runs by offering, deleted rows included. */
interface Sums {
  readonly runs: readonly Run[]
  readonly counts: Uint32Array
}

/** The sum of the sums of several blocks. */
interface Total {
  readonly parts: ReadonlySet<Uint32Array>
  readonly counts: Uint32Array
}

const NOTHING: Total = { parts: new Set(), counts: new Uint32Array(0) }
const TOTALS_MAX = 4

/** A block has at least so many times the offerings (rounded up to a power of two), counted in each of its runs. */
const BLOCK_SHARE = 2
/** A block ends before one in so many runs. */
const END_SHARE = 4

/**
 * Counts the rows of whole runs by offering, in blocks of runs whose sums are cached as long as the runs exist.
 *
 *     runs      │ ● ○ ○ ○ ● ○ │ ● ○ ○ ○ ○ ○ │ ● ○ ○ ○ ● ○ ○      ● may begin a block: by a hash of its first id
 *     blocks    [   sums      ] [   sums    ] [   sums …          as many runs as make the sums worthwhile
 *
 * By this content-defined chunking, a run that is replaced changes its own block and rarely others. A block takes four bytes per offering,
 * less than two per row of its runs.
 */
export class RunSums {
  readonly #blocks = new WeakMap<readonly RunState[], { readonly of: readonly Block[]; readonly offerings: number }>()
  readonly #sums = new WeakMap<Run, Sums>()
  /** The last ones, the newest last. */
  readonly #totals: Total[] = [];

  /** Adds all rows of the runs [from, to) of a level to `counts`, by offering. Pauses after each run or block. */
  *add(level: readonly RunState[], from: number, to: number, counts: Uint32Array): Steps<void> {
    if (from >= to) return
    const parts: Uint32Array[] = []
    const excess: Block[] = []
    for (const { begin, end } of this.#blocksOf(level, counts.length)) {
      const [first, last] = [Math.max(begin, from), Math.min(end, to)]
      if (first >= last) continue
      if ((last - first) * 2 <= end - begin || !isWorthwhile(level, { begin, end }, counts.length)) {
        yield* addRuns(level, { begin: first, end: last }, counts, 1)
        continue
      }
      parts.push(yield* this.#sumsOf(level, { begin, end }, counts.length))
      excess.push({ begin, end: first }, { begin: last, end })
    }
    yield* addSums(yield* this.#totalOf(parts, counts.length), counts, 1)
    for (const block of excess) yield* addRuns(level, block, counts, -1)
  }

  /** The sums of several blocks. From one query to the next, they are mostly the same, or few others. */
  *#totalOf(parts: readonly Uint32Array[], offerings: number): Steps<Uint32Array> {
    const totals = this.#totals.filter(({ counts }) => counts.length <= offerings)
    const nearest = totals.sort((a, b) => differenceOf(a, parts) - differenceOf(b, parts))[0] ?? NOTHING
    if (differenceOf(nearest, parts) === 0 && nearest.counts.length === offerings) return nearest.counts
    const from = differenceOf(nearest, parts) < parts.length ? nearest : NOTHING
    const total = { parts: new Set(parts), counts: new Uint32Array(offerings) }
    total.counts.set(from.counts)
    for (const part of total.parts.difference(from.parts)) {
      yield* addSums(part, total.counts, 1)
    }
    for (const part of from.parts.difference(total.parts)) {
      yield* addSums(part, total.counts, -1)
    }
    this.#totals.push(total)
    if (this.#totals.length > TOTALS_MAX) this.#totals.shift()
    return total.counts
  }

  #blocksOf(level: readonly RunState[], offerings: number): readonly Block[] {
    const known = this.#blocks.get(level)
    if (known?.offerings === offerings) return known.of
    const blocks = divide(level, offerings)
    this.#blocks.set(level, { of: blocks, offerings })
    return blocks
  }

  *#sumsOf(level: readonly RunState[], block: Block, offerings: number): Steps<Uint32Array> {
    const runs = level.slice(block.begin, block.end).map(({ run }) => run)
    const known = this.#sums.get(runs[0])
    if (known?.runs.length === runs.length && known.runs.every((run, n) => run === runs[n])) return known.counts
    const counts = new Uint32Array(offerings)
    yield* addRuns(level, block, counts, 1)
    this.#sums.set(runs[0], { runs, counts })
    return counts
  }
}

function differenceOf({ parts }: Total, others: readonly Uint32Array[]): number {
  const common = others.reduce((count, each) => count + Number(parts.has(each)), 0)
  return parts.size + others.length - 2 * common
}

function divide(level: readonly RunState[], offerings: number): Block[] {
  const enough = BLOCK_SHARE * 2 ** Math.ceil(Math.log2(offerings))
  const blocks: Block[] = []
  let begin = 0
  let counted = 0
  for (const [n, { run }] of level.entries()) {
    if (counted >= enough && mayBegin(run)) {
      blocks.push({ begin, end: n })
      begin = n
      counted = 0
    }
    counted += run.parts.offeringNumbers.length
  }
  return [...blocks, { begin, end: level.length }]
}

function mayBegin({ parts: { records } }: Run): boolean {
  return (Math.imul(records[0] ^ records[1] ^ records[2] ^ records[3], 0x9e37_79b1) >>> 16) % END_SHARE === 0
}

/** The last block of a level may have few runs. */
function isWorthwhile(level: readonly RunState[], { begin, end }: Block, offerings: number): boolean {
  let counted = 0
  for (let n = begin; n < end; n++) counted += level[n].run.parts.offeringNumbers.length
  return counted >= BLOCK_SHARE * offerings
}

function* addSums(sums: Uint32Array, counts: Uint32Array, sign: number): Steps<void> {
  for (let from = 0; from < sums.length; from += SUMS_PER_STEP) {
    addPart(sums, counts, from, sign)
    yield
  }
}

/** Some 100 microseconds. */
const SUMS_PER_STEP = 131_072

function addPart(sums: Uint32Array, counts: Uint32Array, from: number, sign: number): void {
  const to = Math.min(from + SUMS_PER_STEP, sums.length)
  for (let offering = from; offering < to; offering++) counts[offering] += sums[offering] * sign
}

function* addRuns(level: readonly RunState[], { begin, end }: Block, counts: Uint32Array, sign: number): Steps<void> {
  for (let n = begin; n < end; n++) {
    addRun(level[n].run, counts, sign)
    yield
  }
}

/** 2 ns per offering of the run. */
function addRun({ parts: { offeringNumbers, offeringEnds } }: Run, counts: Uint32Array, sign: number): void {
  let before = 0
  for (let at = 0; at < offeringNumbers.length; at++) {
    counts[offeringNumbers[at]] += (offeringEnds[at] - before) * sign
    before = offeringEnds[at]
  }
}
