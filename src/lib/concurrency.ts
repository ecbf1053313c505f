/** Limits how many tasks run at once. The others wait: round robin by owner, those of an owner in their order. */
export class Semaphore {
  readonly #runningMax: number
  /** The owner whose turn is next comes first. None is empty. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #running = 0

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  /** Runs the task when a permit is free. Rejects with the error of the task. */
  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    if (this.#running >= this.#runningMax) await new Promise<void>((resolve) => this.#add(owner, resolve))
    else this.#running++
    try {
      return await task()
    } finally {
      const next = this.#take()
      // The permit is handed over directly, so a task that comes meanwhile cannot overtake.
      if (next === undefined) this.#running--
      else next()
    }
  }

  #add(owner: string, start: () => void): void {
    const others = this.#waiting.get(owner)
    if (others === undefined) this.#waiting.set(owner, [start])
    else others.push(start)
  }

  /** The next task. Its owner waits behind the others. */
  #take(): (() => void) | undefined {
    for (const [owner, waiting] of this.#waiting) {
      this.#waiting.delete(owner)
      const next = waiting.shift()
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      return next
    }
    return undefined
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
