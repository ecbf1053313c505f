import type { Guard } from './exchange.ts'
import type { Guards } from './guards.ts'

/** Each route of the sign-in library that there is here, and what stands before it. `shapes.ts` says what it takes. */
export function signInRoutes(
  guards: Guards,
  settings: { passwordSignIn: boolean },
): ReadonlyMap<string, readonly Guard[]> {
  return new Map<string, readonly Guard[]>([
    ...(settings.passwordSignIn ? passwordRoutes(guards) : []),
    ['POST /sign-in/social', [guards.askProvider]],
    ['GET /callback/oidc', [guards.askProvider, guards.noteSignIn('single sign-on')]],
    ['POST /link-social', [guards.askFresh, guards.askProvider]],
    ['POST /unlink-account', [guards.askFresh]],
    ['GET /list-accounts', []],
    ['GET /passkey/generate-authenticate-options', []],
    ['POST /passkey/verify-authentication', [guards.noteSignIn('passkey')]],
    ['GET /passkey/generate-register-options', []],
    ['POST /passkey/verify-registration', []],
    ['GET /passkey/list-user-passkeys', []],
    ['POST /passkey/update-passkey', []],
    ['POST /passkey/delete-passkey', [guards.askFresh]],
    ['POST /sign-out', []],
    ['GET /get-session', []],
    ['GET /list-sessions', []],
    ['POST /revoke-session', []],
    ['POST /revoke-sessions', []],
    ['POST /revoke-other-sessions', []],
    ['POST /verify-email', [guards.noteSignIn('confirmation mail'), guards.confirm]],
    ['POST /send-verification-email', [guards.hideTime]],
    ['POST /change-email', [guards.askFresh, guards.checkNewAddress]],
    ['POST /update-user', []],
  ])
}

function passwordRoutes(guards: Guards): [string, Guard[]][] {
  return [
    ['POST /sign-up/email', [guards.hideTime, guards.checkPolicy, guards.noteSignIn('sign-up')]],
    ['POST /sign-in/email', [guards.slowPassword, guards.noteSignIn('password')]],
    ['POST /two-factor/verify-totp', [guards.slowCode, guards.spendCode, guards.noteSignIn('one-time code')]],
    ['POST /two-factor/verify-backup-code', [guards.slowCode, guards.noteSignIn('backup code')]],
    ['POST /two-factor/enable', [guards.slowOwnPassword]],
    ['POST /two-factor/disable', [guards.slowOwnPassword]],
    ['POST /two-factor/generate-backup-codes', [guards.slowOwnPassword]],
    ['POST /two-factor/get-totp-uri', [guards.slowOwnPassword]],
    ['POST /request-password-reset', [guards.hideTime]],
    ['POST /reset-password', [guards.slowResetToken, guards.afterReset]],
    ['POST /change-password', [guards.slowOwnPassword, guards.afterChange]],
  ]
}
