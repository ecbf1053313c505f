import type { Steps } from './steps.ts'

interface Work<Result> {
  readonly steps: Steps<Result>
  drivers: number
  outcome: { readonly result: Result } | { readonly error: unknown } | undefined
}

/** Work in steps that several drivers wait for: each advances the same work, and it ends when the last driver abandons it. */
export class SharedSteps<Result> {
  readonly #start: () => Steps<Result>
  #work: Work<Result> | undefined

  constructor(start: () => Steps<Result>) {
    this.#start = start
  }

  /** Joins the work that has begun, or begins. */
  *run(): Steps<Result> {
    this.#work ??= { steps: this.#start(), drivers: 0, outcome: undefined }
    const work = this.#work
    work.drivers++
    try {
      for (;;) {
        work.outcome ??= advance(work)
        if (work.outcome === undefined) {
          yield
          continue
        }
        if ('error' in work.outcome) throw work.outcome.error
        return work.outcome.result
      }
    } finally {
      work.drivers--
      const isAbandoned = work.drivers === 0 && work.outcome === undefined
      if (this.#work === work && (isAbandoned || work.outcome !== undefined)) this.#work = undefined
      if (isAbandoned) work.steps.return(undefined as Result)
    }
  }
}

function advance<Result>({ steps }: Work<Result>): Work<Result>['outcome'] {
  try {
    const step = steps.next()
    return step.done === true ? { result: step.value } : undefined
  } catch (error) {
    return { error }
  }
}
