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

/** Sends requests to a publisher and retries 429 and 503 after `Retry-After`, so that a throttled feed can be read completely. */
export class ThrottledClient {
  readonly #client: PublisherClient
  readonly #signal: AbortSignal
  readonly #wait: Wait
  #waitedMs = 0

  constructor(client: PublisherClient, signal: AbortSignal, wait: Wait = sleepFor) {
    this.#client = client
    this.#signal = signal
    this.#wait = wait
  }

  /** See `PublisherClient.get()`. */
  async get(url: URL, question: FileRequest): Promise<FileResponse> {
    for (let waits = 0; ; waits++) {
      try {
        return await this.#client.get(url, question)
      } catch (error) {
        const waitMs = waits < WAITS_MAX ? this.#patience(error) : undefined
        if (waitMs === undefined) throw error
        this.#waitedMs += waitMs
        await this.#wait(waitMs, this.#signal)
      }
    }
  }

  /** Milliseconds to wait before a retry; undefined if the sync must fail. */
  #patience(error: unknown): number | undefined {
    const status = httpStatusOf(error)
    if (status !== 429 && status !== 503) return undefined
    const { retryAfterMs } = error as FeedFailure
    if (retryAfterMs === undefined || retryAfterMs > WAIT_MS_MAX) return undefined
    const waitMs = Math.max(retryAfterMs, WAIT_MS_MIN)
    return this.#waitedMs + waitMs > WAITS_MS_MAX ? undefined : waitMs
  }
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
