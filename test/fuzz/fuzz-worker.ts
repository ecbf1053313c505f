import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { readCorpus } from './corpus.ts'
import { Dice } from './dice.ts'
import { TALLY, TARGETS, type TargetName } from './targets.ts'

/** The job of a fuzzing thread: batches from `from` to below `until`. */
export interface FuzzWish {
  readonly target: TargetName
  readonly seed: number
  readonly from: number
  readonly until: number
}

/** Sent before each batch and, with `after`, after it: the heap in use after a garbage collection. */
export interface FuzzProgress {
  readonly batch: number
  readonly after?: { readonly heapBytes: number; readonly tally: typeof TALLY }
}

const HEAP_EVERY = 20
/** By then all code is loaded and compiled, so growth after it is a leak. */
const WARM_AT = 2

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const { target, seed, from, until } = workerData as FuzzWish
const corpus = readCorpus()
for (let batch = from; batch < until; batch++) {
  parentPort?.postMessage({ batch } satisfies FuzzProgress)
  // A batch depends only on the seed and its number, so that it can be replayed alone.
  await TARGETS[target](corpus, new Dice(Math.imul(seed, 0x9e3779b1) + batch * 7919))
  if ((batch - from) % HEAP_EVERY !== WARM_AT && batch !== until - 1) continue
  collectGarbage()
  parentPort?.postMessage({
    batch,
    after: { heapBytes: process.memoryUsage().heapUsed, tally: TALLY },
  } satisfies FuzzProgress)
}
