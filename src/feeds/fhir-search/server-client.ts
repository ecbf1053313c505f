import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '../../lib/time.ts'
import type { FeedFailure } from '../connector.ts'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import { httpStatusOf } from '../http/request.ts'
import { explain } from './operation-outcome.ts'

/** Waits so many milliseconds, or throws the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** A page of a search. A server is asked for 500 slots at once; one that does not page sends them all. */
export const PAGE_BYTES_MAX = 2 ** 26

/** A server that asks for more patience than this is left alone until the next sync. */
const WAIT_MS_MAX = MINUTE_MS
const WAIT_MS_MIN = 1000
/** Of one sync, together. */
const WAITS_MS_MAX = 5 * MINUTE_MS
/** For one page. */
const WAITS_MAX = 5

/** Asks a FHIR server, and waits where it asks for patience (429 and 503 with `Retry-After`): a throttled search would never end otherwise. */
export class ServerClient {
  readonly #client: PublisherClient
  readonly #signal: AbortSignal
  readonly #wait: Wait
  #waitedMs = 0

  constructor(client: PublisherClient, signal: AbortSignal, wait: Wait = sleepFor) {
    this.#client = client
    this.#signal = signal
    this.#wait = wait
  }

  /** Throws `FeedFailure`, with a `HttpStatusError` as its cause if the server answered. */
  async open(url: URL): Promise<FileResponse> {
    for (let waits = 0; ; waits++) {
      try {
        return await this.#client.get(url, { accept: ACCEPT, bodyBytesMax: PAGE_BYTES_MAX, explain })
      } catch (error) {
        const waitMs = waits < WAITS_MAX ? this.#patience(error) : undefined
        if (waitMs === undefined) throw error
        this.#waitedMs += waitMs
        await this.#wait(waitMs, this.#signal)
      }
    }
  }

  /** The URL as it may be shown, remembered and followed. */
  plainUrl(url: URL): URL {
    return this.#client.plainUrl(url)
  }

  /** How long to wait before asking again; undefined if that is for another sync. */
  #patience(error: unknown): number | undefined {
    const status = httpStatusOf(error)
    if (status !== 429 && status !== 503) return undefined
    const { retryAfterMs } = error as FeedFailure
    if (retryAfterMs === undefined || retryAfterMs > WAIT_MS_MAX) return undefined
    const waitMs = Math.max(retryAfterMs, WAIT_MS_MIN)
    return this.#waitedMs + waitMs > WAITS_MS_MAX ? undefined : waitMs
  }
}

const ACCEPT = 'application/fhir+json, application/json;q=0.9'

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
