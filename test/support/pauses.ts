import type { Steps } from '../../src/lib/steps.ts'

/** Runs steps to their end: how often they paused, and their result. */
export function pausesOf<Result>(steps: Steps<Result>): { pauses: number; result: Result } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next()
    if (step.done === true) return { pauses, result: step.value }
  }
}
