import type { Worker } from 'node:worker_threads'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { batchBytes } from '../slot-index/slot-batch.ts'
import { BatchMemory } from '../sync/batch-pool.ts'
import type { IndexMessage } from '../sync/follow-messages.ts'
import type { FromServingThread, ServingThreadOptions, ToServingThread } from './serving-messages.ts'
import type { IndexMirror } from './start-following.ts'
import { type SupervisedThread, superviseThread } from './supervised-worker.ts'

/** What the main thread does for a serving thread. */
export interface ServingThreadParts {
  /** The thread's entry. */
  readonly entry: URL
  readonly options: ServingThreadOptions
  /** A thread was started, the first or one in place of a dead one: it holds nothing yet. */
  onStart(): void
  /** It holds what the store holds. */
  onLoaded(): void
  /** Has a request for the dashboard's API answered, or whether the node is ready. */
  ask(request: SerializedRequest, settle: (response: SerializedResponse) => void): void
  /** Hears what it counted. */
  onUsage(batch: UsageBatch): void
  onEvent(event: LogEvent): void
}

type Post = (message: ToServingThread, transfer?: readonly ArrayBuffer[]) => void

/**
 * One further thread that answers callers, as the main thread sees it: a mirror of its index and its keys.
 *
 * A thread that was started anew is told nothing until the next follow thread begins at the beginning (`restart()`): the rest
 * of a change would not fit what it holds.
 */
export class ServingThread implements IndexMirror {
  readonly #parts: ServingThreadParts
  readonly #thread: SupervisedThread
  readonly #memory = new BatchMemory()
  #post: Post = () => {}
  #isAlive = false
  #follows = false
  /** Resolved in order, as messages are taken. */
  #taking: (() => void)[] = []
  readonly #applying = new Map<number, () => void>()
  #lastId = 0

  constructor(parts: ServingThreadParts) {
    this.#parts = parts
    this.#thread = superviseThread(parts.entry, {
      workerData: () => parts.options,
      onEvent: parts.onEvent,
      attach: (worker) => this.#attach(worker),
    })
  }

  restart(): void {
    this.#follows = true
    this.#post({ kind: 'restart' })
  }

  /** Resolves when the thread has taken a copy of the message, or will never. */
  async take(message: IndexMessage): Promise<void> {
    if (!this.#follows) return
    if (message.kind === 'born') this.#postBatch(message)
    else this.#post({ kind: 'follow', message })
    await new Promise<void>((resolve) => this.#taking.push(resolve))
  }

  /** Has it listen where the main thread does. */
  listen(port: number): void {
    this.#post({ kind: 'listen', port })
  }

  /**
   * Resolves when the keys hold there: no request that comes later is answered by what they were before. A thread that is
   * away answers nobody, and the next one is told by the store.
   */
  async applyKeys(keys: readonly ApiKey[]): Promise<void> {
    if (!this.#isAlive) return
    const id = ++this.#lastId
    const applied = new Promise<void>((resolve) => this.#applying.set(id, resolve))
    this.#post({ kind: 'keys', id, keys })
    await applied
  }

  /** Has every answer from now on ask its caller to connect anew. */
  drain(): void {
    this.#post({ kind: 'drain' })
  }

  /** Ends it; what it counted has been told by then. */
  async stop(): Promise<void> {
    await this.#thread.stop()
  }

  #attach(worker: Worker): void {
    this.#post = (message, transfer = []) => worker.postMessage(message, [...transfer])
    this.#isAlive = true
    worker.on('message', (message: FromServingThread) => this.#hear(message, worker))
    worker.on('exit', () => this.#lose())
    this.#parts.onStart()
  }

  #hear(message: FromServingThread, worker: Worker): void {
    if (message.kind === 'taken') this.#noteTaken(message.memory)
    else if (message.kind === 'loaded') this.#parts.onLoaded()
    else if (message.kind === 'applied') this.#noteApplied(message.id)
    else if (message.kind === 'request') this.#ask(message, worker)
    else if (message.kind === 'usage') this.#parts.onUsage(message.batch)
    else this.#parts.onEvent(message.event)
  }

  #noteTaken(memory: ArrayBuffer | undefined): void {
    if (memory !== undefined) this.#memory.giveBack(memory)
    this.#taking.shift()?.()
  }

  #noteApplied(id: number): void {
    this.#applying.get(id)?.()
    this.#applying.delete(id)
  }

  /** Should the thread die meanwhile, the answer is for nobody: the next one gives the same numbers to other requests. */
  #ask({ id, request }: { id: number; request: SerializedRequest }, worker: Worker): void {
    this.#parts.ask(request, (response) =>
      worker.postMessage({ kind: 'response', id, response } satisfies ToServingThread),
    )
  }

  /** What it was asked is settled: it answers nobody, so that no old key is let in. */
  #lose(): void {
    this.#post = () => {}
    this.#isAlive = false
    this.#follows = false
    for (const settle of [...this.#taking, ...this.#applying.values()]) settle()
    this.#taking = []
    this.#applying.clear()
  }

  #postBatch({ kind, batch: { count, jsonBytes, memory } }: Extract<IndexMessage, { kind: 'born' }>): void {
    const bytes = batchBytes(count, jsonBytes)
    const copy = this.#memory.take(bytes)
    new Uint8Array(copy).set(new Uint8Array(memory, 0, bytes))
    this.#post({ kind: 'follow', message: { kind, batch: { count, jsonBytes, memory: copy } } }, [copy])
  }
}
