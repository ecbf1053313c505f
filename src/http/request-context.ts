import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SerializedResponse } from './serialized-http.ts'

/** One request and its answer in the making. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The path of the operation of `/v1` that is asked for, once a key has been checked for it: set by the front, for whoever answers in its place. */
  readonly operation?: string
  /** Sends what was answered to it by whoever that is, be it a refusal; there whenever `operation` is. Never throws. */
  readonly send?: (answer: SerializedResponse) => void
}
