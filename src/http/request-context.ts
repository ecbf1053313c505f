import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SerializedResponse } from './serialized-http.ts'

/** One request and its response. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The path of the relayed operation: set by the dispatcher once the API key has been checked. */
  readonly operation?: string
  /** Sends the response of another thread; set together with `operation`. Never throws. */
  readonly send?: (response: SerializedResponse) => void
}

/** Distinguishes the ids of this process from those of others. */
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The caller's own `X-Request-Id` if it is well-formed, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given
  count = (count + 1) % 0x1_0000_0000
  return `${prefix}-${count}`
}
