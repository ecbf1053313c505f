import { AsyncLocalStorage } from 'node:async_hooks'
import { asText, isObject } from '../lib/json.ts'
import { defined } from '../lib/optional.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { Guard } from './guards.ts'

/** The claims of a sign-in by the provider, for the session that it begins. */
interface ProviderSession {
  /** The session ID (`sid`) at the provider; empty if it does not say. */
  providerSession: string
  confirmedAt?: Date
}

const signIn = new AsyncLocalStorage<ProviderSession>()

/**
 * Keeps claims of an ID token for `recordProviderSession`. A person whom the provider recognized by a cookie has not proved
 * their identity now: `auth_time` tells when they did. Without it, only a sign-in counts for which the provider was asked to
 * authenticate the person (`again`), and only of a provider that does not announce `auth_time`: the browser could remove
 * `prompt` and `max_age` from the request.
 */
export function noteProviderSession(
  { sid, auth_time }: Readonly<Record<string, unknown>>,
  { again, announcesAuthTime }: { again: boolean; announcesAuthTime: boolean },
): void {
  const noted = signIn.getStore()
  if (noted === undefined) return
  if (typeof sid === 'string') noted.providerSession = sid
  if (typeof auth_time === 'number') noted.confirmedAt = new Date(Math.min(auth_time * 1000, Date.now()))
  else if (!again || announcesAuthTime) noted.confirmedAt = new Date(0)
}

/** Records which session of the provider has begun a session, and when the person proved their identity there. */
export const recordProviderSession: Guard = (request, next, { sessions }) => {
  const noted: ProviderSession = { providerSession: '' }
  return signIn.run(noted, async () => {
    const response = await next(request)
    await sessions.update(response, noted)
    return response
  })
}

/** Of an address to return to, and of an invitation. */
const TEXT_LENGTH_MAX = 2000

/**
 * Asks the provider to authenticate a person who is signed in there (OpenID Connect Core 1.0, 3.1.2.1). Until the person returns, the
 * request is in the store: anyone can make one, so it is short.
 */
export const askProviderAgain: Guard = async (request, next) => {
  const { again: wanted, additionalData, ...body } = request.body
  if (Object.values(body).some((value) => typeof value === 'string' && value.length > TEXT_LENGTH_MAX)) {
    const message = `Each text must have at most ${TEXT_LENGTH_MAX} characters.`
    return new DashboardProblem('invalid-field', message).toResponse()
  }
  const again = wanted === true
  const invitation = isObject(additionalData) ? asText(additionalData.invitation) : undefined
  return next({
    ...request,
    body: {
      ...body,
      additionalData: { ...defined({ invitation }), again },
      ...(again && { additionalParams: SIGN_IN_AGAIN }),
    },
  })
}

const SIGN_IN_AGAIN = { prompt: 'login' }

/**
 * The provider must state `auth_time` if an age is given (OpenID Connect Core 1.0, 2). So long an age never makes it ask: how
 * recent the proof must be depends on what the person does.
 */
export const AUTH_TIME_REQUEST = { max_age: String(90 * 86_400) }
