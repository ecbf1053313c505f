import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import { DashboardProblem, invalidField } from '../shared/dashboard-problem.ts'
import { textOf } from './auth-request.ts'
import type { Guard } from './guards.ts'

/**
 * The plugin for passkeys. They replace the password and the second factor, so the person must prove their identity to the
 * authenticator by PIN, fingerprint or face: possession alone is one factor (WebAuthn Level 3, 6.2.3). The plugin only prefers that.
 */
export function passkeyPlugin({ origin, serviceName }: { origin: string; serviceName: string }) {
  return passkey({
    rpID: new URL(origin).hostname,
    rpName: serviceName,
    origin,
    schema: { passkey: { modelName: 'passkeys' } },
    authenticatorSelection: { userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) => requireVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) => requireVerified(verification.authenticationInfo.userVerified),
    },
  })
}

const NAME_LENGTH_MAX = 100
const PASSKEYS_MAX = 50

/** Limits the names of passkeys, which the plugin does not. */
export const limitPasskeyName: Guard = async (request, next) => {
  if ((textOf(request, 'name')?.length ?? 0) <= NAME_LENGTH_MAX) return next(request)
  return invalidField(`The name must have at most ${NAME_LENGTH_MAX} characters.`, 'name').toResponse()
}

/** Limits the passkeys of an account. Counts after the registration and takes it back, since several may be registered at once. */
export const limitPasskeys: Guard = async (request, next, { sessions, holder }) => {
  const session = await sessions.sessionOf(request.headers)
  const response = await next(request)
  if (!response.ok || session === undefined) return response
  const { adapter } = await holder.current.$context
  const count = await adapter.count({ model: 'passkey', where: [{ field: 'userId', value: session.userId }] })
  if (count <= PASSKEYS_MAX) return response
  const { id } = await response.json()
  await adapter.delete({ model: 'passkey', where: [{ field: 'id', value: id }] })
  const message = `Your account has ${PASSKEYS_MAX} passkeys, which is the limit. Remove one first.`
  return new DashboardProblem('limit-reached', message).toResponse()
}

/** Asks authenticators to verify the person at sign-in, which the plugin has no option for. */
export const askForVerification: Guard = async (request, next) => {
  const response = await next(request)
  if (!response.ok) return response
  const options: object = await response.json()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json({ ...options, userVerification: 'required' }, { headers })
}

function requireVerified(isVerified: boolean | undefined): void {
  if (isVerified) return
  const message = 'This passkey did not check who you are. Set a PIN for your security key, or use another way.'
  throw new APIError('BAD_REQUEST', { code: 'USER_NOT_VERIFIED', message })
}
