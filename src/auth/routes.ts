import { recordChange, recordNewEmail, recordPasswordReset, recordSecondFactor } from './account-log.ts'
import { hashBackupCode } from './backup-codes.ts'
import { confirmPassword, recordConfirmation, requireConfirmation, samePerson } from './confirmation.ts'
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
  requireSecondFactor,
  verifyEmailToken,
} from './guards.ts'
import { askForVerification, limitPasskeyName, limitPasskeys } from './passkeys.ts'
import {
  limitSignUps,
  refuseReplacedPassword,
  refuseWeakChange,
  refuseWeakPassword,
  refuseWeakReset,
  renewHash,
} from './password-guards.ts'
import { askProviderAgain, recordProviderSession } from './provider-session.ts'

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
  'again',
)

const ROUTES: SignInRoutes = {
  'POST /sign-in/social': [allowProviderFields, askProviderAgain, requireProvider],
  'GET /callback/oidc': [requireProvider, recordSignIn('single sign-on'), recordProviderSession],
  'POST /link-social': [requireSecondFactor, allowProviderFields, requireConfirmation, requireProvider],
  'POST /unlink-account': [requireConfirmation, recordChange('account.sign-on-unlinked')],
  'GET /list-accounts': [],
  'GET /passkey/generate-authenticate-options': [askForVerification],
  'POST /passkey/verify-authentication': [recordSignIn('passkey'), samePerson],
  'GET /passkey/generate-register-options': [requireSecondFactor, requireConfirmation],
  'POST /passkey/verify-registration': [
    requireSecondFactor,
    requireConfirmation,
    limitPasskeyName,
    recordChange('account.passkey-added'),
    limitPasskeys,
  ],
  'GET /passkey/list-user-passkeys': [],
  'POST /passkey/update-passkey': [limitPasskeyName],
  'POST /passkey/delete-passkey': [requireConfirmation, recordChange('account.passkey-removed')],
  'POST /sign-out': [],
  'GET /get-session': [],
  'GET /list-sessions': [],
  'POST /revoke-session': [requireConfirmation, findSessionToken, recordSessionsEnded('one')],
  'POST /revoke-sessions': [requireConfirmation, forgetDevices, recordSessionsEnded('all')],
  'POST /revoke-other-sessions': [requireConfirmation, forgetDevices, recordSessionsEnded('others')],
  'POST /verify-email': [recordSignIn('verification email'), recordNewEmail, verifyEmailToken],
  'POST /send-verification-email': [constantTimeResponse],
  'POST /change-email': [requireSecondFactor, requireConfirmation, checkNewEmail, constantTimeResponse, recordNewEmail],
  'POST /update-user': [allowFields('name')],
}

const PASSWORD_ROUTES: SignInRoutes = {
  'POST /sign-up/email': [
    allowSignUpFields,
    limitSignUps,
    refuseWeakPassword,
    constantTimeResponse,
    checkPolicy,
    recordSignIn('sign-up'),
  ],
  'POST /sign-in/email': [limitPasswordAttempts, renewHash, recordSignIn('password'), refuseReplacedPassword],
  'POST /confirm-password': [limitOwnPasswordAttempts, recordConfirmation, confirmPassword],
  'POST /two-factor/verify-totp': [
    limitCodeAttempts,
    rejectUsedCode,
    recordSignIn('one-time code'),
    recordSecondFactor,
    recordConfirmation,
  ],
  'POST /two-factor/verify-backup-code': [limitCodeAttempts, hashBackupCode, recordSignIn('backup code')],
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
