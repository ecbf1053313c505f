import type { IncomingMessage, ServerResponse } from 'node:http'

/** One request and its answer in the making. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}
