import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import type { ParentOperations, ThreadOperations } from './supervised-worker.ts'

export interface ServingThreadOptions {
  readonly host: string
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly trustedProxies: number
  readonly uploadBytesMax: number
  /** The folder of the built pages. */
  readonly siteFolder: string
}

/** What a serving thread, with an index and a key ring of its own, does for the main thread. */
export interface ServingOperations extends ThreadOperations {
  /** A new follow thread begins: drop the change that the previous one left incomplete. */
  restart(): void
  /** Replies with the memory of the batch, to be filled again. */
  apply(message: IndexMessage): ArrayBuffer | undefined
  applyKeys(keys: readonly ApiKey[]): void
  /** Listen on the main thread's port. */
  listen(port: number): void
  /** From now on, each response asks its caller to reconnect. */
  drain(): void
}

/** What the main thread does for a serving thread. */
export interface ServingParent extends ParentOperations {
  /** The index and the keys have been loaded. */
  loaded(): void
  /** Responds to a request for the dashboard API or for the node's readiness. */
  respond(request: SerializedRequest): SerializedResponse
  /** What was counted since the last time, to be added to the main thread's counts. */
  addUsage(batch: UsageBatch): void
}
