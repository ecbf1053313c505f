import { formatSearch, sendApiRequest } from './client.ts'
import { withConfirmation } from './confirmation.ts'

/** A session as returned by better-auth. */
export interface AuthSession {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

/** A passkey as returned by better-auth. */
export interface Passkey {
  readonly id: string
  readonly name?: string
  readonly createdAt: string
}

/** The endpoints of better-auth that the dashboard uses, with their responses. `src/auth/routes.ts` allows them. */
interface AuthResponses {
  'POST /sign-up/email': { readonly signedIn: boolean }
  'POST /sign-in/email': { readonly twoFactorRedirect?: boolean }
  'POST /sign-in/social': { readonly url: string }
  'POST /sign-out': unknown
  'GET /get-session': { readonly session: { readonly id: string } }
  'GET /list-sessions': readonly AuthSession[]
  'POST /revoke-session': unknown
  'POST /revoke-other-sessions': unknown
  'POST /verify-email': unknown
  'POST /send-verification-email': unknown
  'POST /change-email': unknown
  'POST /confirm-password': unknown
  'POST /update-user': unknown
  'POST /change-password': unknown
  'POST /request-password-reset': unknown
  'POST /reset-password': unknown
  'POST /two-factor/enable': { readonly totpURI: string; readonly backupCodes: readonly string[] }
  'POST /two-factor/disable': unknown
  'POST /two-factor/generate-backup-codes': { readonly backupCodes: readonly string[] }
  'POST /two-factor/verify-totp': unknown
  'POST /two-factor/verify-backup-code': unknown
  'GET /passkey/list-user-passkeys': readonly Passkey[]
  'GET /passkey/generate-authenticate-options': PublicKeyCredentialRequestOptionsJSON
  'GET /passkey/generate-register-options': PublicKeyCredentialCreationOptionsJSON
  'POST /passkey/verify-authentication': unknown
  'POST /passkey/verify-registration': unknown
  'POST /passkey/update-passkey': unknown
  'POST /passkey/delete-passkey': unknown
}

type AuthEndpoint = keyof AuthResponses

/** Calls an endpoint of better-auth: `callAuth('POST /sign-out')`. Throws `ApiError`. */
export function callAuth<Name extends AuthEndpoint>(
  name: Name,
  {
    body = {},
    query = {},
    signal,
  }: { body?: object; query?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
): Promise<AuthResponses[Name]> {
  const [method, path] = name.split(' ')
  const url = `/api/auth${path}${formatSearch(query)}`
  return withConfirmation(() => sendApiRequest(method, url, { ...(method !== 'GET' && { body }), signal }))
}
