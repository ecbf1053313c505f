import type { MessagePort } from 'node:worker_threads'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { UsageBatch } from '../store/contracts/account-store.ts'

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
  | { readonly kind: 'request'; readonly id: number; readonly request: SerializedRequest }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SerializedResponse }
  | { readonly kind: 'usage'; readonly id: number; readonly batch: UsageBatch }

export type FromAccountThread =
  | { readonly kind: 'response'; readonly id: number; readonly response: SerializedResponse }
  /** Created, revoked or rotated here: takes effect on this node before its response is sent. */
  | { readonly kind: 'keys'; readonly keys: readonly ApiKey[] }
  | { readonly kind: 'ask'; readonly id: number; readonly question: NodeQuery }
  | { readonly kind: 'counted'; readonly id: number }
  /** Without a reason if the store is away, which is told elsewhere. */
  | { readonly kind: 'uncounted'; readonly id: number; readonly reason?: string }
  | { readonly kind: 'event'; readonly event: LogEvent }

/** What goes over to another thread with a message, and is not copied. */
export function portsOf(message: {
  readonly kind: string
  readonly request?: SerializedRequest
}): MessagePort[] {
  return message.request?.upload === undefined ? [] : [message.request.upload]
}
