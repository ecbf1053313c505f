import type { ApiKey } from '../keys/key.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import { ServingThread, type ServingThreadParts } from './serving-worker.ts'
import type { IndexMirror } from './start-following.ts'

/** What further serving threads share with the main thread. */
export interface ServingThreadsParts
  extends Pick<ServingThreadParts, 'entry' | 'options' | 'ask' | 'onEvent'> {
  /** How many, beside the main thread. */
  readonly count: number
  /** The main thread's own. */
  readonly keyRing: KeyRing
  readonly meter: UsageMeter
  /** Has everything told from the beginning, for a thread that holds nothing. */
  startOver(): void
}

/**
 * The threads of a node that answer callers beside the main thread, on the same port: each with an index, a key ring and a
 * meter of its own, all fed by the one follow thread, none with a connection to the store.
 *
 * None listens before all are loaded, and the main thread is not ready before: once a node is ready, each of its threads is. A
 * thread that dies is started anew, and listens again when it has loaded; until then the others answer.
 */
export class ServingThreads {
  readonly #parts: ServingThreadsParts
  readonly #threads: readonly ServingThread[]
  readonly #loaded = new Set<number>()
  #port: number | undefined
  readonly #allLoaded = Promise.withResolvers<void>()
  #hasStarted = false

  constructor(parts: ServingThreadsParts) {
    this.#parts = parts
    this.#threads = Array.from({ length: parts.count }, (_, n) => this.#start(n))
    this.#hasStarted = true
    if (parts.count === 0) this.#allLoaded.resolve()
  }

  /** To be told all that the main thread is. */
  get mirrors(): readonly IndexMirror[] {
    return this.#threads
  }

  /** All have been loaded once. */
  isReady(): boolean {
    return this.#loaded.size === this.#threads.length
  }

  /** Has all of them listen on the main thread's port, as soon as they and the main thread are loaded. */
  async listen(port: number, mainLoaded: Promise<void>): Promise<void> {
    await Promise.all([mainLoaded, this.#allLoaded.promise])
    this.#port = port
    for (const thread of this.#threads) thread.listen(port)
  }

  /** Takes keys over as they now are; resolves when that holds in every thread. Undefined if it does already. */
  applyKeys(keys: readonly ApiKey[]): Promise<void> | undefined {
    this.#parts.keyRing.apply(keys)
    if (this.#threads.length === 0) return undefined
    return Promise.all(this.#threads.map((thread) => thread.applyKeys(keys))).then(() => undefined)
  }

  /** Has every answer from now on ask its caller to connect anew: to be called before `stop()`, as long as one likes. */
  drain(): void {
    for (const thread of this.#threads) thread.drain()
  }

  /** Ends them all; what they counted is in the main thread's meter then. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()))
  }

  #start(n: number): ServingThread {
    const { entry, options, ask, onEvent, meter } = this.#parts
    return new ServingThread({
      entry,
      options,
      ask,
      onEvent,
      onUsage: (batch) => meter.takeOver(batch),
      onStart: () => {
        // The first ones are there before anything is told.
        if (this.#hasStarted) this.#parts.startOver()
      },
      onLoaded: () => this.#noteLoaded(n),
    })
  }

  #noteLoaded(n: number): void {
    this.#loaded.add(n)
    if (this.isReady()) this.#allLoaded.resolve()
    if (this.#port !== undefined) this.#threads[n].listen(this.#port)
  }
}
