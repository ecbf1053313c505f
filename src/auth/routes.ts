import { recordChange, recordNewEmail, recordPasswordReset, recordSecondFactor } from './account-log.ts'
import {
  allowFields,
  checkNewEmail,
  checkPolicy,
  constantTimeResponse,
  findSessionToken,
  forgetDevices,
  type Guard,
  handlePasswordReset,
  limitCodeAttempts,
  limitOwnPasswordAttempts,
  limitPasswordAttempts,
  limitResetTokenAttempts,
  notifyPasswordChange,
  recordSignIn,
  rejectUsedCode,
  requireProvider,
  requireRecentSignIn,
  requireSecondFactor,
  verifyEmailToken,
} from './guards.ts'
import { refuseWeakChange, refuseWeakPassword, refuseWeakReset, renewHash } from './password-guards.ts'

/** The allowed routes, each with its guards in order. */
export type SignInRoutes = Readonly<Record<string, readonly Guard[]>>

/** The routes of better-auth that are exposed; all others respond with 404. */
export function signInRoutes({ passwordSignIn }: { passwordSignIn: boolean }): SignInRoutes {
  return passwordSignIn ? { ...ROUTES, ...PASSWORD_ROUTES } : ROUTES
}

/** The browser's own session may be among them. */
const recordSessionsEnded = (sessions: string) => recordChange('account.sessions-ended', () => ({ sessions }))

const allowSignUpFields = allowFields('name', 'email', 'password', 'invitation')

/** Without `idToken`: a stolen ID token must not be enough to sign in. */
const allowProviderFields = allowFields(
  'provider',
  'callbackURL',
  'errorCallbackURL',
  'newUserCallbackURL',
  'additionalData',
)

const ROUTES: SignInRoutes = {
  'POST /sign-in/social': [allowProviderFields, requireProvider],
  'GET /callback/oidc': [requireProvider, recordSignIn('single sign-on')],
  'POST /link-social': [requireSecondFactor, allowProviderFields, requireRecentSignIn, requireProvider],
  'POST /unlink-account': [requireRecentSignIn, recordChange('account.sign-on-unlinked')],
  'GET /list-accounts': [],
  'GET /passkey/generate-authenticate-options': [],
  'POST /passkey/verify-authentication': [recordSignIn('passkey')],
  // better-auth itself requires a recent sign-in for these two.
  'GET /passkey/generate-register-options': [requireSecondFactor],
  'POST /passkey/verify-registration': [requireSecondFactor, recordChange('account.passkey-added')],
  'GET /passkey/list-user-passkeys': [],
  'POST /passkey/update-passkey': [],
  'POST /passkey/delete-passkey': [requireRecentSignIn, recordChange('account.passkey-removed')],
  'POST /sign-out': [],
  'GET /get-session': [],
  'GET /list-sessions': [],
  'POST /revoke-session': [findSessionToken, recordSessionsEnded('one')],
  'POST /revoke-sessions': [forgetDevices, recordSessionsEnded('all')],
  'POST /revoke-other-sessions': [forgetDevices, recordSessionsEnded('others')],
  'POST /verify-email': [recordSignIn('verification email'), recordNewEmail, verifyEmailToken],
  'POST /send-verification-email': [constantTimeResponse],
  'POST /change-email': [requireSecondFactor, requireRecentSignIn, checkNewEmail, constantTimeResponse, recordNewEmail],
  'POST /update-user': [allowFields('name')],
}

const PASSWORD_ROUTES: SignInRoutes = {
  'POST /sign-up/email': [
    allowSignUpFields,
    refuseWeakPassword,
    constantTimeResponse,
    checkPolicy,
    recordSignIn('sign-up'),
  ],
  'POST /sign-in/email': [limitPasswordAttempts, renewHash, recordSignIn('password')],
  'POST /two-factor/verify-totp': [
    limitCodeAttempts,
    rejectUsedCode,
    recordSignIn('one-time code'),
    recordSecondFactor,
  ],
  'POST /two-factor/verify-backup-code': [limitCodeAttempts, recordSignIn('backup code')],
  'POST /two-factor/enable': [limitOwnPasswordAttempts, forgetDevices],
  'POST /two-factor/disable': [limitOwnPasswordAttempts, forgetDevices, recordChange('account.second-factor-removed')],
  'POST /two-factor/generate-backup-codes': [
    limitOwnPasswordAttempts,
    forgetDevices,
    recordChange('account.backup-codes-created'),
  ],
  'POST /two-factor/get-totp-uri': [limitOwnPasswordAttempts],
  'POST /request-password-reset': [constantTimeResponse],
  'POST /reset-password': [limitResetTokenAttempts, refuseWeakReset, recordPasswordReset, handlePasswordReset],
  'POST /change-password': [
    limitOwnPasswordAttempts,
    refuseWeakChange,
    forgetDevices,
    recordChange('account.password-changed'),
    notifyPasswordChange,
  ],
}
