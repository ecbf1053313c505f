/** Limits how many tasks run at once; the others wait, first come, first served. */
export class Semaphore {
  readonly #runningMax: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  /** Runs the task when a permit is free. Rejects with the error of the task. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#runningMax) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      // The permit is handed over directly, so a task that comes meanwhile cannot overtake.
      if (next === undefined) this.#running--
      else next()
    }
  }
}

/** Runs the tasks of one key one after the other, those of different keys at once. Stores nothing for idle keys. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Rejects with the error of the task, which does not affect the tasks behind it. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(task)
    const settled = result.catch(() => undefined)
    this.#last.set(key, settled)
    try {
      return await result
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    }
  }
}
