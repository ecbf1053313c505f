import { slowCode, slowOwnPassword, slowPassword, slowResetToken, spendCode } from './attempt-limits.ts'
import type { Guard } from './auth-request.ts'
import type { GuardParts } from './guard-options.ts'
import { afterChange, afterReset, confirm } from './link-guards.ts'
import { askFresh, askProvider, keepOnly, noteSignIn } from './session-guards.ts'
import { checkNewAddress, checkPolicy, hideTime } from './sign-up-guards.ts'

/** The routes that there are, and what stands before each, in order. */
export type SignInRoutes = ReadonlyMap<string, readonly Guard[]>

/** Each route of the sign-in library that is let through here, and what stands before it. `shapes.ts` says what it takes. */
export function signInRoutes(parts: GuardParts, settings: { passwordSignIn: boolean }): SignInRoutes {
  return new Map<string, readonly Guard[]>([
    ...(settings.passwordSignIn ? passwordRoutes(parts) : []),
    ['POST /sign-in/social', [keepOnly(...PROVIDER_FIELDS), askProvider(parts)]],
    ['GET /callback/oidc', [askProvider(parts), noteSignIn(parts, 'single sign-on')]],
    ['POST /link-social', [keepOnly(...PROVIDER_FIELDS), askFresh(parts), askProvider(parts)]],
    ['POST /unlink-account', [askFresh(parts)]],
    ['GET /list-accounts', []],
    ['GET /passkey/generate-authenticate-options', []],
    ['POST /passkey/verify-authentication', [noteSignIn(parts, 'passkey')]],
    // These two ask for a recent sign-in by themselves.
    ['GET /passkey/generate-register-options', []],
    ['POST /passkey/verify-registration', []],
    ['GET /passkey/list-user-passkeys', []],
    ['POST /passkey/update-passkey', []],
    ['POST /passkey/delete-passkey', [askFresh(parts)]],
    ['POST /sign-out', []],
    ['GET /get-session', []],
    ['GET /list-sessions', []],
    ['POST /revoke-session', []],
    ['POST /revoke-sessions', []],
    ['POST /revoke-other-sessions', []],
    ['POST /verify-email', [noteSignIn(parts, 'confirmation mail'), confirm(parts)]],
    ['POST /send-verification-email', [hideTime(parts)]],
    ['POST /change-email', [askFresh(parts), checkNewAddress(parts), hideTime(parts)]],
    ['POST /update-user', [keepOnly('name')]],
  ])
}

const SIGN_UP_FIELDS = ['name', 'email', 'password', 'invitation']

/** Not `idToken`: whoever got hold of one must not sign in by it. */
const PROVIDER_FIELDS = [
  'provider',
  'callbackURL',
  'errorCallbackURL',
  'newUserCallbackURL',
  'additionalData',
]

function passwordRoutes(parts: GuardParts): [string, readonly Guard[]][] {
  return [
    [
      'POST /sign-up/email',
      [keepOnly(...SIGN_UP_FIELDS), hideTime(parts), checkPolicy(parts), noteSignIn(parts, 'sign-up')],
    ],
    ['POST /sign-in/email', [slowPassword(parts), noteSignIn(parts, 'password')]],
    ['POST /two-factor/verify-totp', [slowCode(parts), spendCode(parts), noteSignIn(parts, 'one-time code')]],
    ['POST /two-factor/verify-backup-code', [slowCode(parts), noteSignIn(parts, 'backup code')]],
    ['POST /two-factor/enable', [slowOwnPassword(parts)]],
    ['POST /two-factor/disable', [slowOwnPassword(parts)]],
    ['POST /two-factor/generate-backup-codes', [slowOwnPassword(parts)]],
    ['POST /two-factor/get-totp-uri', [slowOwnPassword(parts)]],
    ['POST /request-password-reset', [hideTime(parts)]],
    ['POST /reset-password', [slowResetToken(parts), afterReset(parts)]],
    ['POST /change-password', [slowOwnPassword(parts), afterChange(parts)]],
  ]
}
