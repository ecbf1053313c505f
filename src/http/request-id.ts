// Hot path
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Tells the ids of this process from those of others; the rest only counts. */
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The caller's own `X-Request-Id` if it has a harmless form, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given
  count = (count + 1) % 0x1_0000_0000
  return `${prefix}-${count}`
}
