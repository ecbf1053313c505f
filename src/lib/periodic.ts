/** How a `Periodic` runs. */
interface PeriodicOptions {
  /** The pause between the end of one run and the start of the next; a function is called after each run. */
  readonly everyMs: number | (() => number)
  /** Receives the error of a run that rejects. The next run follows as usual. */
  onError(error: unknown): void
}

/**
 * Runs a task at once, unless it starts with a pause, and then again after each pause, never twice at the same time.
 *
 *     idle ──start()──> running <──pause──> waiting ──close()──> closed
 *
 * `wake()` ends the pause early. A failed run is reported and does not end the loop. A synchronous task, which cannot overlap
 * itself, needs only `setInterval()`.
 */
export class Periodic {
  readonly #task: (signal: AbortSignal) => Promise<unknown>
  readonly #options: PeriodicOptions
  readonly #closing = new AbortController()
  #loop: Promise<void> | undefined
  #isWoken = false
  #endPause = () => {}

  /** The signal passed to `task` is aborted by `close()`. */
  constructor(task: (signal: AbortSignal) => Promise<unknown>, options: PeriodicOptions) {
    this.#task = task
    this.#options = options
  }

  /** Starts the first run, or the pause before it. Does nothing if already started. */
  start({ withPause = false } = {}): void {
    this.#loop ??= this.#run(withPause)
  }

  /** Runs again at once, or right after the current run. */
  wake(): void {
    this.#isWoken = true
    this.#endPause()
  }

  /** Aborts the current run's signal and resolves once that run has ended. There are no runs after. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#endPause()
    await this.#loop
  }

  async #run(withPause: boolean): Promise<void> {
    const { signal } = this.#closing
    if (withPause) await this.#pause()
    while (!signal.aborted) {
      this.#isWoken = false
      try {
        await this.#task(signal)
      } catch (error) {
        this.#options.onError(error)
      }
      if (!signal.aborted && !this.#isWoken) await this.#pause()
    }
  }

  #pause(): Promise<void> {
    const { everyMs } = this.#options
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, typeof everyMs === 'number' ? everyMs : everyMs())
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
