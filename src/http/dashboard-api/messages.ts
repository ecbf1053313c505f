import type { MessagePort } from 'node:worker_threads'
import type { ApiKey } from '../../keys/key.ts'
import type { LogEvent } from '../../lib/log-event.ts'
import type { HealthView } from '../../shared/shapes.ts'
import type { UsageBatch } from '../../store/contracts/account-store.ts'

/**
 * What passes between the thread that answers `/v1` and the account thread, which alone signs people in and answers the
 * dashboard: hashing passwords and waiting for the disk must cost callers nothing.
 *
 *     main thread                                 account thread
 *       request ───────────────────────────────────▶  the dashboard's API, better-auth
 *       ◀──────────────── keys (before the response that tells of them), response
 *       ◀──────────────── ask (explore, days, health, open slots, operations)
 *       answer ────────────────────────────────────▶
 *       usage  ────────────────────────────────────▶  store.usage.add()
 *       ◀──────────────── counted | uncounted         an uncounted batch is counted again, with the next
 */
export type ToAccountThread =
  | { readonly kind: 'request'; readonly id: number; readonly request: PlainRequest }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: PlainResponse }
  | { readonly kind: 'usage'; readonly id: number; readonly batch: UsageBatch }

export type FromAccountThread =
  | { readonly kind: 'response'; readonly id: number; readonly response: PlainResponse }
  /** Created, revoked or rotated here: takes effect on this node before its response is sent. */
  | { readonly kind: 'keys'; readonly keys: readonly ApiKey[] }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'counted'; readonly id: number }
  /** Without a reason if the store is away, which is told elsewhere. */
  | { readonly kind: 'uncounted'; readonly id: number; readonly reason?: string }
  | { readonly kind: 'event'; readonly event: LogEvent }

/** What only the main thread knows. `search` is what stands behind the question mark. */
export type Question =
  | { readonly about: 'slots'; readonly search: string }
  | { readonly about: 'days'; readonly search: string }
  | { readonly about: 'health' }
  /** Answered by `OpenSlotCounts`. */
  | { readonly about: 'open-slots' }
  /** A GET of `/v1` that is answered from memory: path and query. */
  | { readonly about: 'operation'; readonly target: string }

/** An HTTP request whose body has been read (at most `BODY_BYTES_MAX`), or comes through a port while it is answered. */
export interface PlainRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Uint8Array
  /** Where its body comes from, in the place of `body`: see `body-port.ts`. To be handed on with the request: `portsOf()`. */
  readonly upload?: MessagePort
  /** Whom it came from, as far as the configuration trusts proxies. */
  readonly address: string
  readonly requestId: string
  /** The operation of `/v1`, or `/mcp`, that it asks for, with a key that was checked. Its target alone proves nothing: a request without this is the dashboard's. */
  readonly operation?: string
}

/** An HTTP response, whole. `set-cookie` may occur more than once. */
export interface PlainResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** What `health` is answered with by the main thread; the account thread adds what it knows itself. */
export type NodeHealth = Omit<HealthView, 'version' | 'store' | 'mail'>

/** How many slots of each publisher are open, in all and by state. */
export type OpenSlotCounts = Readonly<
  Record<string, { readonly all: number; readonly byState: Readonly<Record<string, number>> }>
>

/** No form of the dashboard comes near it. */
export const BODY_BYTES_MAX = 64 * 1024

/** What goes over to another thread with a message, and is not copied. */
export function portsOf(message: { readonly kind: string; readonly request?: PlainRequest }): MessagePort[] {
  return message.request?.upload === undefined ? [] : [message.request.upload]
}
