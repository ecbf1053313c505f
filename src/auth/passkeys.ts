import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
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
