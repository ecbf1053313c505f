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

/** The sum of several runs. It keeps none of them in memory. */
interface Total {
  readonly runs: readonly WeakRef<Run>[]
  readonly counts: Uint32Array
}

/** The total whose runs differ least from some runs: those that it lacks, and those that it has in addition. */
interface Nearest {
  readonly total: Total
  readonly lacking: readonly Run[]
  readonly excess: readonly Run[]
}

const NOTHING: Total = { runs: [], counts: new Uint32Array(0) }
const TOTALS_MAX = 4
/** A total is derived from another one if fewer than one in so many runs differ: a block takes a fraction of the time of its runs. */
const DERIVED_SHARE = 4

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
  /** Those that were used last, the newest last. */
  #totals: readonly Total[] = [];

  /** Adds all rows of the runs [from, to) of a level to `counts`, by offering. Pauses after each run or block. */
  *add(level: readonly RunState[], from: number, to: number, counts: Uint32Array): Steps<void> {
    const range = { begin: from, end: to }
    if (isWorthwhile(level, range, counts.length))
      yield* addSums(yield* this.#totalOf(level, range, counts.length), counts)
    else yield* addRuns(runsOf(level, range), counts, 1)
  }

  /** Sums the runs from `from` on, so that `add()` only adds the sum. */
  *prepare(level: readonly RunState[], from: number, offerings: number): Steps<void> {
    const range = { begin: from, end: level.length }
    if (isWorthwhile(level, range, offerings)) yield* this.#totalOf(level, range, offerings)
  }

  /** The sum of some runs. From one query to the next, and after most commits, they are the same or few others. */
  *#totalOf(level: readonly RunState[], range: Block, offerings: number): Steps<Uint32Array> {
    const runs = runsOf(level, range)
    const { total, lacking, excess } = this.#nearestTo(runs, offerings)
    const difference = lacking.length + excess.length
    if (difference === 0) return this.#keep(total)
    const counts = new Uint32Array(offerings)
    if (difference * DERIVED_SHARE < runs.length) {
      counts.set(total.counts)
      yield* addRuns(lacking, counts, 1)
      yield* addRuns(excess, counts, -1)
    } else {
      yield* this.#addBlocks(level, range, counts)
    }
    return this.#keep({ runs: runs.map((run) => new WeakRef(run)), counts })
  }

  #nearestTo(runs: readonly Run[], offerings: number): Nearest {
    const wanted = new Set(runs)
    let nearest: Nearest = { total: NOTHING, lacking: runs, excess: [] }
    for (const total of this.#totals) {
      const known = new Set(total.runs.map((run) => run.deref()).filter((run) => run !== undefined))
      // A run that was collected cannot be subtracted. A query of an earlier state may have fewer offerings.
      if (known.size < total.runs.length || total.counts.length > offerings) continue
      const lacking = [...wanted.difference(known)]
      const excess = [...known.difference(wanted)]
      if (lacking.length + excess.length < nearest.lacking.length + nearest.excess.length)
        nearest = { total, lacking, excess }
    }
    return nearest
  }

  #keep(total: Total): Uint32Array {
    this.#totals = [...this.#totals.filter((each) => each !== total), total].slice(-TOTALS_MAX)
    return total.counts
  }

  /** Adds the sums of blocks, without those of their runs outside the range. */
  *#addBlocks(level: readonly RunState[], { begin: from, end: to }: Block, counts: Uint32Array): Steps<void> {
    for (const { begin, end } of this.#blocksOf(level, counts.length)) {
      const [first, last] = [Math.max(begin, from), Math.min(end, to)]
      if (first >= last) continue
      if ((last - first) * 2 <= end - begin || !isWorthwhile(level, { begin, end }, counts.length)) {
        yield* addRuns(runsOf(level, { begin: first, end: last }), counts, 1)
        continue
      }
      yield* addSums(yield* this.#sumsOf(level, { begin, end }, counts.length), counts)
      yield* addRuns(runsOf(level, { begin, end: first }), counts, -1)
      yield* addRuns(runsOf(level, { begin: last, end }), counts, -1)
    }
  }

  #blocksOf(level: readonly RunState[], offerings: number): readonly Block[] {
    const known = this.#blocks.get(level)
    if (known?.offerings === offerings) return known.of
    const blocks = divide(level, offerings)
    this.#blocks.set(level, { of: blocks, offerings })
    return blocks
  }

  *#sumsOf(level: readonly RunState[], block: Block, offerings: number): Steps<Uint32Array> {
    const runs = runsOf(level, block)
    const known = this.#sums.get(runs[0])
    if (known?.runs.length === runs.length && known.runs.every((run, n) => run === runs[n])) return known.counts
    const counts = new Uint32Array(offerings)
    yield* addRuns(runs, counts, 1)
    this.#sums.set(runs[0], { runs, counts })
    return counts
  }
}

function runsOf(level: readonly RunState[], { begin, end }: Block): Run[] {
  return level.slice(begin, end).map(({ run }) => run)
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

function* addSums(sums: Uint32Array, counts: Uint32Array): Steps<void> {
  for (let from = 0; from < sums.length; from += SUMS_PER_STEP) {
    addPart(sums, counts, from)
    yield
  }
}

/** Some 100 microseconds. */
const SUMS_PER_STEP = 131_072

function addPart(sums: Uint32Array, counts: Uint32Array, from: number): void {
  const to = Math.min(from + SUMS_PER_STEP, sums.length)
  for (let offering = from; offering < to; offering++) counts[offering] += sums[offering]
}

function* addRuns(runs: readonly Run[], counts: Uint32Array, sign: number): Steps<void> {
  for (const run of runs) {
    addRun(run, counts, sign)
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
