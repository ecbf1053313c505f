import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { IndexMessage } from '../sync/follow-messages.ts'

/** What a serving thread is started with. */
export interface ServingThreadOptions {
  readonly host: string
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly trustedProxies: number
  /** How large a file may be that is brought to the dashboard. */
  readonly uploadBytesMax: number
  /** Where the built pages are. */
  readonly siteFolder: string
}

/**
 * What passes between the main thread and a further serving thread; `STOP` ends it.
 *
 *     main                                    serving thread
 *     restart, follow ─────────────────────────▶  its own index and key ring
 *       ◀──────────────── taken (for each follow, in order), loaded (once)
 *     listen ──────────────────────────────────▶  the same port as the main thread's
 *     keys   ──────────────────────────────────▶
 *       ◀──────────────── applied                 before anybody is told that a key is revoked
 *       ◀──────────────── request (the dashboard's API; whether the node is ready)
 *     response ────────────────────────────────▶
 *     drain  ──────────────────────────────────▶  each answer asks its caller to connect anew
 *       ◀──────────────── usage, event
 */
export type ToServingThread =
  /** A new follow thread begins. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'follow'; readonly message: IndexMessage }
  | { readonly kind: 'listen'; readonly port: number }
  | { readonly kind: 'keys'; readonly id: number; readonly keys: readonly ApiKey[] }
  | { readonly kind: 'response'; readonly id: number; readonly response: SerializedResponse }
  /** The node is about to end. */
  | { readonly kind: 'drain' }

export type FromServingThread =
  /** `memory`: that of the batch that was taken, to be filled again. */
  | { readonly kind: 'taken'; readonly memory?: ArrayBuffer }
  | { readonly kind: 'loaded' }
  | { readonly kind: 'applied'; readonly id: number }
  | { readonly kind: 'request'; readonly id: number; readonly request: SerializedRequest }
  /** Counted since the last one; to be added to what the main thread counted. */
  | { readonly kind: 'usage'; readonly batch: UsageBatch }
  | { readonly kind: 'event'; readonly event: LogEvent }
