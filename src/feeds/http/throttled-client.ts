import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '../../lib/time.ts'
import type { FeedFailure } from '../connector.ts'
import type { FileRequest, FileResponse, PublisherClient } from './publisher-client.ts'
import { httpStatusOf } from './request.ts'

/** Waits, or throws the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** After a longer `Retry-After` the sync fails and is retried at the next one. */
const WAIT_MS_MAX = MINUTE_MS
const WAIT_MS_MIN = 1000
/** Total of one sync. */
const WAITS_MS_MAX = 5 * MINUTE_MS
/** Per page or file. */
const WAITS_MAX = 5

/**
 * Sends requests to a publisher and retries 429 and 503 after `Retry-After`, so that a throttled feed can be read completely. The limit is
 * that of all requests: those that follow, or are refused meanwhile, wait for the same pause.
 */
export class ThrottledClient {
  readonly #client: PublisherClient
  readonly #signal: AbortSignal
  readonly #wait: Wait
  #waitedMs = 0
  #pause: Promise<void> | undefined

  constructor(client: PublisherClient, signal: AbortSignal, wait: Wait = sleepFor) {
    this.#client = client
    this.#signal = signal
    this.#wait = wait
  }

  /** See `PublisherClient.get()`. */
  async get(url: URL, question: FileRequest): Promise<FileResponse> {
    for (let waits = 0; ; waits++) {
      await this.#pause
      try {
        return await this.#client.get(url, question)
      } catch (error) {
        const waitMs = waits < WAITS_MAX ? patienceWith(error) : undefined
        if (waitMs === undefined) throw error
        if (this.#pause !== undefined) continue
        if (this.#waitedMs + waitMs > WAITS_MS_MAX) throw error
        this.#pause = this.#pauseFor(waitMs)
      }
    }
  }

  async #pauseFor(waitMs: number): Promise<void> {
    this.#waitedMs += waitMs
    await this.#wait(waitMs, this.#signal)
    this.#pause = undefined
  }
}

/** Milliseconds to wait before a retry; undefined if the sync must fail. */
function patienceWith(error: unknown): number | undefined {
  const status = httpStatusOf(error)
  if (status !== 429 && status !== 503) return undefined
  const { retryAfterMs } = error as FeedFailure
  if (retryAfterMs === undefined || retryAfterMs > WAIT_MS_MAX) return undefined
  return Math.max(retryAfterMs, WAIT_MS_MIN)
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
