import { setTimeout as sleep } from 'node:timers/promises'
import { asObject } from '../../lib/json.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import type { FeedFailure } from '../connector.ts'
import { readOutcome } from '../fhir/operation-outcome.ts'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import { httpStatusOf } from '../http/request.ts'

/** Waits, or throws the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** Maximum size of a page. Requests ask for 500 slots; a server without paging sends all of them. */
const PAGE_BYTES_MAX = 2 ** 26

/** After a longer `Retry-After` the sync fails and is retried at the next one. */
const WAIT_MS_MAX = MINUTE_MS
const WAIT_MS_MIN = 1000
/** Total of one sync. */
const WAITS_MS_MAX = 5 * MINUTE_MS
/** Per page. */
const WAITS_MAX = 5

/** Sends requests to a FHIR server and retries 429 and 503 after `Retry-After`, so that throttled searches complete. */
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

  /** The URL without secrets, to show, store and follow. */
  plainUrl(url: URL): URL {
    return this.#client.plainUrl(url)
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

/** Status codes for unknown or unsupported parameters. */
export const REFUSALS: ReadonlySet<number> = new Set([400, 422, 501])

const ACCEPT = 'application/fhir+json, application/json;q=0.9'

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The explanation in the body of an error response; undefined if it is not an OperationOutcome. */
export function explain(text: string): string | undefined {
  try {
    const resource = asObject(JSON.parse(text))
    return resource?.resourceType === 'OperationOutcome' ? readOutcome(resource).text : undefined
  } catch {
    return undefined
  }
}
