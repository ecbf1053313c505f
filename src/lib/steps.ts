/**
 * Work that is done in small steps: a generator that yields after some microseconds, so that its driver decides how long other work
 * waits. It may be abandoned at any `yield` (`return()`).
 */
export type Steps<Result> = Generator<void, Result>

/** Runs steps to their end without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs steps to their end, and lets other work of the thread run after each slice of so many milliseconds. */
export async function runInSlices<Result>(steps: Steps<Result>, sliceMs: number): Promise<Result> {
  for (let until = performance.now() + sliceMs; ; ) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < until) continue
    await new Promise((resolve) => setImmediate(resolve))
    until = performance.now() + sliceMs
  }
}

/** Loops over some 100,000 entries yield when the number of the entry has none of these bits. */
export const STEP_MASK = 1023

/** Lengths of the runs that are sorted at once: some 30 microseconds. */
const RUN_LENGTH = 128

/** Sorts numbers: a stable merge sort, bottom up. `numbers` is overwritten. */
export function* sortInSteps(numbers: Uint32Array, compare: (a: number, b: number) => number): Steps<Uint32Array> {
  const { length } = numbers
  for (let from = 0; from < length; from += RUN_LENGTH) {
    numbers.subarray(from, from + RUN_LENGTH).sort(compare)
    yield
  }
  let source = numbers
  let target: Uint32Array = new Uint32Array(length > RUN_LENGTH ? length : 0)
  for (let width = RUN_LENGTH; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const [middle, to] = [Math.min(from + width, length), Math.min(from + 2 * width, length)]
      let a = from
      let b = middle
      for (let at = from; at < to; at++) {
        target[at] = b >= to || (a < middle && compare(source[a], source[b]) <= 0) ? source[a++] : source[b++]
        if ((at & STEP_MASK) === 0) yield
      }
    }
    ;[source, target] = [target, source]
  }
  return source
}
