// Hot path
import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'

/** Throws `Problem('not-acceptable')` if the request's `Accept` (RFC 9110, 12.5.1) leaves no room for JSON. */
export function requireJsonAccepted(request: IncomingMessage): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return
  if (acceptsJson(accept)) return
  throw new Problem('not-acceptable', `Accept must allow application/json: got "${accept.slice(0, 100)}".`)
}

/** The most specific range that covers JSON decides; one with `q=0` refuses. */
function acceptsJson(accept: string): boolean {
  let decided = { rank: -1, accepted: false }
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim())
    const rank = RANGES.indexOf(type)
    const refused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
    if (rank > decided.rank) decided = { rank, accepted: !refused }
  }
  return decided.accepted
}

const RANGES = ['*/*', 'application/*', 'application/json']
