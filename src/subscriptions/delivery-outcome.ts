import { PrivateAddress } from '../feeds/http/public-address.ts'
import { ResponseTimeout } from '../feeds/http/request.ts'
import { parseRetryAfterMs } from '../feeds/http/response.ts'
import type { ClaimedDelivery, DeliveryAttempt, EndedDelivery } from '../store/contracts/deliveries.ts'
import { FAILING_MS_MAX, retryPauseMs, UNVERIFIED_MS_MAX } from './retry-schedule.ts'

/** The end of an attempt: delivered, repeated later, given up, or the end of the subscription. `random` is from 0 to 1. */
export function outcomeOf(
  delivery: ClaimedDelivery,
  attempt: DeliveryAttempt,
  random: number,
): EndedDelivery['outcome'] {
  const { type, attempts, failingSinceMs, queuedAtMs, isVerified } = delivery
  const endMs = attempt.atMs + attempt.latencyMs
  if (attempt.error === undefined) return { kind: 'delivered' }
  if (attempt.status === 410) return { kind: 'disabled', reason: 'gone' }
  const retryAtMs = endMs + retryPauseMs(attempts + 1, random, attempt.retryAfterMs)
  const isVerification = type === 'subscription.verification'
  if (type === 'subscription.test' || (isVerification && isVerified)) return { kind: 'failed', atMs: retryAtMs }
  const lastMs = isVerification ? queuedAtMs + UNVERIFIED_MS_MAX : (failingSinceMs ?? endMs) + FAILING_MS_MAX
  if (endMs >= lastMs) return { kind: 'disabled', reason: isVerification ? 'unverified' : 'failing' }
  return { kind: 'retry', atMs: Math.min(retryAtMs, lastMs) }
}

/** Why a response does not count as delivered; undefined if it does. */
export function responseFault(
  { type, challenge }: Pick<ClaimedDelivery, 'type' | 'challenge'>,
  { status, body }: { readonly status: number; readonly body: string },
): string | undefined {
  if (status >= 300 && status < 400) return `The receiver responded ${status}. Redirects are not followed.`
  if (status < 200 || status >= 300) return `The receiver responded ${status}.`
  if (type !== 'subscription.verification' || hasChallenge(body, challenge)) return undefined
  return 'The response does not contain the challenge.'
}

/** How long a receiver that is busy asks to wait. */
export function requestedPauseMs(
  { status, retryAfter }: { readonly status: number; readonly retryAfter?: string },
  nowMs: number,
): number | undefined {
  return status === 429 || status === 503 ? parseRetryAfterMs(retryAfter, nowMs) : undefined
}

/** The body is the challenge, or a JSON object with it. */
function hasChallenge(body: string, challenge: string | undefined): boolean {
  if (body.trim() === challenge) return true
  try {
    return JSON.parse(body)?.challenge === challenge
  } catch {
    return false
  }
}

/** Why there was no response, for the owner of the subscription: without addresses, which may be those of a private network. */
export function sendFault(error: unknown): string {
  if (error instanceof PrivateAddress) return 'The host name leads to a private address.'
  if (error instanceof ResponseTimeout || (error instanceof Error && error.name === 'AbortError'))
    return 'The receiver did not respond in time.'
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: '' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host name could not be resolved.'
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'The receiver closed the connection.'
  if (message.includes('must use https')) return 'The URL must use https.'
  return code === undefined ? 'The event could not be sent.' : `The event could not be sent (${code}).`
}
