import { mix } from '../../demo/mix.ts'
import type { UsageBatch } from '../../src/keys/usage-batch.ts'

/** Requests of a key in an hour: more by day and on weekdays. */
export function requestsIn(hourMs: number, pace: number, n: number): number {
  const date = new Date(hourMs)
  const ofDay = 0.15 + 0.85 * Math.max(0, Math.sin(((date.getUTCHours() - 10) / 14) * Math.PI))
  const ofWeek = [0.35, 1, 1, 1, 1, 1, 0.55][date.getUTCDay()]
  return Math.round(pace * ofDay * ofWeek * (0.8 + (mix(n, pace) % 400) / 1000))
}

const TARGETS = [
  '/v1/scheduling/slots?state=MA&isVirtual=true',
  '/v1/scheduling/slots?state=MA&limit=100',
  '/v1/scheduling/slots?state=NY&city=Albany&limit=50&offset=50',
  '/v1/scheduling/slots?serviceTypeCode=57&limit=25',
  '/v1/scheduling/slots?state=Nowhere',
]

/** From where the keys are used. */
export const CALLERS = [
  { address: '203.0.113.7', userAgent: 'node-fetch/1.0 (+https://northgate.example)' },
  { address: '198.51.100.24', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0' },
  { address: '2001:db8::8a2e:370:7334', userAgent: 'python-requests/2.32.5' },
]

/** The n-th entry of the request log. */
export function loggedRequest(keyId: string, atMs: number, n: number): UsageBatch['logged'][number] {
  const target = TARGETS[n % TARGETS.length]
  const message = 'state must be a two-letter code of a US state or territory: got "Nowhere".'
  return {
    keyId,
    atMs,
    method: 'GET',
    target,
    status: target.endsWith('Nowhere') ? 400 : n % 9 === 0 ? 304 : 200,
    durationUs: 60 + (mix(n, 3) % 300),
    requestId: `req_${mix(n, 11).toString(36).padStart(10, '0')}`,
    ...CALLERS[n % 7 === 3 ? 1 : n % 11 === 5 ? 2 : 0],
    ...(target.endsWith('Nowhere') && { error: 'Invalid parameter', message, parameter: 'state' }),
    leftOut: n === 200 ? 340 : 0,
  }
}
