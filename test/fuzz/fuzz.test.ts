import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { FuzzProgress, FuzzWish } from './fuzz-worker.ts'
import { CASES_PER_BATCH, TARGETS, type TargetName } from './targets.ts'

// FUZZ_CASES=100000 node --test test/fuzz/fuzz.test.ts: the number of cases per format. FUZZ_SEED=… generates other cases, and
// FUZZ_BATCH=… replays the batch that a failure names.

const CASES = Number(process.env.FUZZ_CASES ?? 5000)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const ONLY = process.env.FUZZ_BATCH

/** A batch takes about a tenth of a second. */
const BATCH_MS_MAX = 30_000

/** The heap limit of a thread: no input may need as much. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 }

/** The growth of the heap that is not a leak. */
const GROWTH_BYTES_MAX = 8 * 2 ** 20

for (const target of Object.keys(TARGETS) as TargetName[]) {
  test(`${CASES} mutated ${target}: no crash, no hang, no growth`, async (t) => {
    const from = ONLY === undefined ? 0 : Number(ONLY)
    const until = ONLY === undefined ? Math.ceil(CASES / CASES_PER_BATCH) : from + 1
    const sinceMs = performance.now()
    const states = await fuzz({ target, seed: SEED, from, until })
    const [first, last] = [states[0], states.at(-1)]
    assert.ok(first !== undefined && last !== undefined)
    const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1)
    t.diagnostic(
      `${target}: ${seconds} s, heap ${megabytes(first)} MB at first, ${megabytes(last)} MB at last, ${JSON.stringify(last.tally)}`,
    )
    assert.ok(last.heapBytes - first.heapBytes < GROWTH_BYTES_MAX, 'the heap grew')
    // If all input were refused as a whole, the code behind would not be tested.
    const { slots, rejected } = last.tally
    assert.ok(
      target === 'manifests' || ONLY !== undefined || Math.min(slots, rejected) > CASES / 50,
      JSON.stringify(last.tally),
    )
  })
}

type State = NonNullable<FuzzProgress['after']>

/** Runs batches in a separate thread that can be terminated if it hangs. Returns its progress. */
function fuzz(wish: FuzzWish): Promise<State[]> {
  const states: State[] = []
  let batch = wish.from
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: wish,
    resourceLimits: RESOURCE_LIMITS,
  })
  const reported = (error: unknown) =>
    new Error(`Cannot read what was fuzzed: FUZZ_SEED=${wish.seed} FUZZ_BATCH=${batch} ${wish.target}: ${error}`, {
      cause: error,
    })
  return new Promise<State[]>((resolve, reject) => {
    const hang = () => reject(reported(`a batch must be over within ${BATCH_MS_MAX} ms`))
    let timer = setTimeout(hang, BATCH_MS_MAX)
    worker.on('message', (progress: FuzzProgress) => {
      clearTimeout(timer)
      timer = setTimeout(hang, BATCH_MS_MAX)
      batch = progress.batch
      if (progress.after !== undefined) states.push(progress.after)
    })
    worker.once('error', (error) => reject(reported(error)))
    worker.once('exit', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(states)
      else reject(reported(`its thread ended with exit code ${code}`))
    })
  }).finally(() => worker.terminate())
}

function megabytes({ heapBytes }: State): string {
  return (heapBytes / 1e6).toFixed(1)
}
