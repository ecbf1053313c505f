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

/** Limits how many tasks of one key run at once; the others of that key wait in their order. Stores nothing for idle keys. */
export class KeyedSemaphore {
  readonly #runningMax: number
  readonly #used = new Map<string, { readonly semaphore: Semaphore; tasks: number }>()

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  /** Rejects with the error of the task, which does not affect the tasks behind it. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const used = this.#used.get(key) ?? { semaphore: new Semaphore(this.#runningMax), tasks: 0 }
    this.#used.set(key, used)
    used.tasks++
    try {
      return await used.semaphore.run(task)
    } finally {
      if (--used.tasks === 0) this.#used.delete(key)
    }
  }
}
