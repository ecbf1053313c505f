import {
  limitCodeAttempts,
  limitOwnPasswordAttempts,
  limitPasswordAttempts,
  limitResetTokenAttempts,
  rejectUsedCode,
} from './attempt-limits.ts'
import type { Guard } from './auth-request.ts'
import {
  allowFields,
  checkNewEmail,
  checkPolicy,
  constantTimeResponse,
  type GuardOptions,
  handlePasswordReset,
  notifyPasswordChange,
  recordSignIn,
  requireProvider,
  requireRecentSignIn,
  verifyEmailToken,
} from './guards.ts'

/** The allowed routes, each with its guards in order. */
export type SignInRoutes = ReadonlyMap<string, readonly Guard[]>

/** Lists the better-auth routes that are exposed; all others respond with 404. */
export function signInRoutes(options: GuardOptions, settings: { passwordSignIn: boolean }): SignInRoutes {
  return new Map<string, readonly Guard[]>([
    ...(settings.passwordSignIn ? passwordRoutes(options) : []),
    ['POST /sign-in/social', [allowFields(...PROVIDER_FIELDS), requireProvider(options)]],
    ['GET /callback/oidc', [requireProvider(options), recordSignIn(options, 'single sign-on')]],
    ['POST /link-social', [allowFields(...PROVIDER_FIELDS), requireRecentSignIn(options), requireProvider(options)]],
    ['POST /unlink-account', [requireRecentSignIn(options)]],
    ['GET /list-accounts', []],
    ['GET /passkey/generate-authenticate-options', []],
    ['POST /passkey/verify-authentication', [recordSignIn(options, 'passkey')]],
    // better-auth itself requires a recent sign-in for these two.
    ['GET /passkey/generate-register-options', []],
    ['POST /passkey/verify-registration', []],
    ['GET /passkey/list-user-passkeys', []],
    ['POST /passkey/update-passkey', []],
    ['POST /passkey/delete-passkey', [requireRecentSignIn(options)]],
    ['POST /sign-out', []],
    ['GET /get-session', []],
    ['GET /list-sessions', []],
    ['POST /revoke-session', []],
    ['POST /revoke-sessions', []],
    ['POST /revoke-other-sessions', []],
    ['POST /verify-email', [recordSignIn(options, 'verification email'), verifyEmailToken(options)]],
    ['POST /send-verification-email', [constantTimeResponse(options)]],
    ['POST /change-email', [requireRecentSignIn(options), checkNewEmail(options), constantTimeResponse(options)]],
    ['POST /update-user', [allowFields('name')]],
  ])
}

const SIGN_UP_FIELDS = ['name', 'email', 'password', 'invitation']

/** Without `idToken`: a stolen ID token must not be enough to sign in. */
const PROVIDER_FIELDS = ['provider', 'callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'additionalData']

function passwordRoutes(options: GuardOptions): [string, readonly Guard[]][] {
  return [
    [
      'POST /sign-up/email',
      [
        allowFields(...SIGN_UP_FIELDS),
        constantTimeResponse(options),
        checkPolicy(options),
        recordSignIn(options, 'sign-up'),
      ],
    ],
    ['POST /sign-in/email', [limitPasswordAttempts(options), recordSignIn(options, 'password')]],
    [
      'POST /two-factor/verify-totp',
      [limitCodeAttempts(options), rejectUsedCode(options), recordSignIn(options, 'one-time code')],
    ],
    ['POST /two-factor/verify-backup-code', [limitCodeAttempts(options), recordSignIn(options, 'backup code')]],
    ['POST /two-factor/enable', [limitOwnPasswordAttempts(options)]],
    ['POST /two-factor/disable', [limitOwnPasswordAttempts(options)]],
    ['POST /two-factor/generate-backup-codes', [limitOwnPasswordAttempts(options)]],
    ['POST /two-factor/get-totp-uri', [limitOwnPasswordAttempts(options)]],
    ['POST /request-password-reset', [constantTimeResponse(options)]],
    ['POST /reset-password', [limitResetTokenAttempts(options), handlePasswordReset(options)]],
    ['POST /change-password', [limitOwnPasswordAttempts(options), notifyPasswordChange(options)]],
  ]
}
