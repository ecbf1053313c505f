import { JSON_TYPE } from './negotiation/accept.ts'
import type { Problem } from './problem.ts'

/** What another thread answers to an operation, whole and in its plain form: the caller's is made by `sendRelayed()`. */
export interface RelayedAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** An answer in JSON. */
export function jsonAnswer(
  text: string,
  { status = 200, headers = [] }: { status?: number; headers?: RelayedAnswer['headers'] } = {},
): RelayedAnswer {
  return { status, headers: [['content-type', JSON_TYPE], ...headers], body: new TextEncoder().encode(text) }
}

/** What is answered where a problem was met. */
export function problemAnswer({ status, body, headers }: Problem): RelayedAnswer {
  return jsonAnswer(body, { status, headers: Object.entries(headers) })
}
