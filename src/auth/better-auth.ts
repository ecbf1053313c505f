import { type Auth, type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError, getOAuthState, isAPIError } from 'better-auth/api'
import { type GenericOAuthConfig, genericOAuth, twoFactor } from 'better-auth/plugins'
import type { SignInConfig } from '../config/config.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import type { AuditLog } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import { seenUnavailability } from '../store/sql/store-availability.ts'
import type { AuthEmails } from './auth-emails.ts'
import { ADDRESS_HEADER, requestOrigin } from './auth-request.ts'
import type { AuthSecrets } from './auth-secrets.ts'
import { BACKUP_CODE_OPTIONS } from './backup-codes.ts'
import { LINK_MS } from './link-tokens.ts'
import { passkeyPlugin } from './passkeys.ts'
import { scryptHashing } from './password-hashing.ts'
import { SESSION_IDLE_MS } from './sign-in.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'

export type BetterAuth = Auth<BetterAuthOptions>

/** The OpenID provider's configuration for better-auth. */
export type OidcProvider = GenericOAuthConfig<'oidc'>

/** Hashes and verifies passwords. */
export type PasswordHashing = NonNullable<NonNullable<BetterAuthOptions['emailAndPassword']>['password']>

export interface BetterAuthDependencies {
  readonly tables: SignInTables
  readonly secrets: AuthSecrets
  readonly dashboardUrl: string
  /** In authenticator apps and on passkeys. */
  readonly serviceName: string
  readonly settings: Pick<SignInConfig, 'passwordSignIn'>
  /** Absent without a mail server. */
  readonly emails: AuthEmails | undefined
  /** Present once the provider is discovered. */
  readonly oidc: OidcProvider | undefined
  readonly policy: SignUpPolicy
  readonly audit: Pick<AuditLog, 'record'>
  /** `scryptHashing` by default. */
  readonly passwordHashing?: PasswordHashing | undefined
  onEvent(event: LogEvent): void
}

const PASSWORD_LENGTH_MIN = 10
const PASSWORD_LENGTH_MAX = 128

/** Opens better-auth on the store's tables. It contacts only the OpenID provider, and writes only to these tables. */
export function openBetterAuth(options: BetterAuthDependencies): BetterAuth {
  return betterAuth(betterAuthOptions(options))
}

export function betterAuthOptions(options: BetterAuthDependencies): BetterAuthOptions {
  const { origin } = new URL(options.dashboardUrl)
  return {
    appName: options.serviceName,
    baseURL: origin,
    basePath: '/api/auth',
    trustedOrigins: [origin],
    secrets: options.secrets.versions,
    database: { db: options.tables.queries, type: options.tables.type },
    telemetry: { enabled: false },
    logger: betterAuthLogger(options.onEvent),
    onAPIError: { errorURL: `${origin}/app/sign-in`, onError: (error) => logError(error, options.onEvent) },
    plugins: plugins(options, origin),
    advanced: advanced(origin),
    rateLimit: RATE_LIMIT,
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_IDLE_MS / 1000,
      updateAge: 86_400,
      // `requireConfirmation` replaces its check.
      freshAge: 0,
      additionalFields: {
        confirmedAt: { type: 'date', required: false, input: false },
        providerSession: { type: 'string', required: false, input: false, returned: false },
      },
    },
    ...userOptions(options),
    ...passwordOptions(options),
    databaseHooks: {
      user: { create: { before: cleanUser }, update: { before: cleanUser } },
      session: { create: { before: cutUserAgent } },
      account: {
        create: {
          before: dropProviderTokens,
          after: (account, context) => recordLink(account, context?.headers, options.audit),
        },
      },
    },
  }
}

function plugins(
  { oidc, serviceName }: BetterAuthDependencies,
  origin: string,
): NonNullable<BetterAuthOptions['plugins']> {
  const keys = passkeyPlugin({ origin, serviceName })
  const codes = twoFactor({
    issuer: serviceName,
    schema: { twoFactor: { modelName: 'two_factors' } },
    backupCodeOptions: BACKUP_CODE_OPTIONS,
  })
  return oidc === undefined ? [keys, codes] : [keys, codes, genericOAuth({ config: [oidc] })]
}

/** Over https the prefix makes browsers insist on `Secure`, `Path=/` and no `Domain` (RFC 6265bis, 4.1.3.2). */
function advanced(origin: string): NonNullable<BetterAuthOptions['advanced']> {
  const isSecure = origin.startsWith('https:')
  return {
    // better-auth's own prefix would be `__Secure-`.
    useSecureCookies: false,
    cookiePrefix: cookiePrefix(origin),
    defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    disableCSRFCheck: false,
    disableOriginCheck: false,
    // A test compares the schema, so startup skips the check.
    database: { validateSchema: false },
  }
}

/** The prefix of all cookie names. */
export function cookiePrefix(origin: string): string {
  return origin.startsWith('https:') ? '__Host-slots' : 'slots'
}

/**
 * Requests per network address, successful or not, in memory: flood protection must not write to disk. High enough for an
 * office behind one address. `FailedAttempts` has separate limits, shared by all nodes.
 */
const RATE_LIMIT: NonNullable<BetterAuthOptions['rateLimit']> = {
  enabled: true,
  storage: 'memory',
  modelName: 'rate_limits',
  window: 60,
  max: 600,
  customRules: {
    '/sign-in/*': { window: 60, max: 120 },
    '/sign-up/*': { window: 60, max: 60 },
    '/two-factor/*': { window: 60, max: 120 },
    '/change-*': { window: 60, max: 30 },
    '/request-password-reset': { window: 60, max: 20 },
    '/send-verification-email': { window: 60, max: 20 },
  },
}

function userOptions({
  emails,
  policy,
}: BetterAuthDependencies): Pick<BetterAuthOptions, 'user' | 'account' | 'verification'> {
  return {
    user: {
      modelName: 'users',
      // Without a mail server no address is ever verified, so nothing is lost.
      changeEmail: { enabled: true, updateEmailWithoutVerification: emails === undefined },
      validateUserInfo: (incoming) => checkSignUp(incoming, policy, emails),
    },
    account: {
      modelName: 'credentials',
      updateAccountOnSignIn: false,
      // Links an account with the same email address only if it is verified on both sides.
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    // Read access to the table must not be enough to reset passwords.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
  }
}

function passwordOptions({
  settings,
  emails,
  passwordHashing = scryptHashing,
}: BetterAuthDependencies): Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'> {
  const emailAndPassword = {
    enabled: settings.passwordSignIn,
    minPasswordLength: PASSWORD_LENGTH_MIN,
    maxPasswordLength: PASSWORD_LENGTH_MAX,
    requireEmailVerification: emails !== undefined,
    resetPasswordTokenExpiresIn: LINK_MS / 1000,
    revokeSessionsOnPasswordReset: true,
    password: passwordHashing,
  }
  if (emails === undefined) return { emailAndPassword }
  return {
    emailAndPassword: {
      ...emailAndPassword,
      sendResetPassword: async ({ user, token }) => emails.resetPassword(user.email, token),
      onExistingUserSignUp: async ({ user }) => emails.alreadyRegistered(user.email),
    },
    emailVerification: {
      expiresIn: LINK_MS / 1000,
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      sendVerificationEmail: async ({ user, token }) => emails.verifyEmail(user.email, token),
    },
  }
}

/** Applies the sign-up policy to sign-ups by the OpenID provider; `checkPolicy` handles those by password. */
async function checkSignUp(
  { user, source }: Parameters<ValidateUserInfo>[0],
  policy: SignUpPolicy,
  emails: AuthEmails | undefined,
) {
  if (source.action !== 'create-user' || source.method !== 'oauth') return
  const state = await getOAuthState()
  const invitation = typeof state?.invitation === 'string' ? state.invitation : undefined
  const proof = user.emailVerified === true ? 'provider' : emails === undefined ? 'none' : 'mail'
  const refusal = await policy.refusal({ email: user.email ?? '', proof, invitation })
  return refusal === undefined ? undefined : { error: 'SIGN_UP_REFUSED', errorDescription: refusal }
}

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/** Of longer ones the beginning is stored: a header may have 32 kB, and a person any number of sessions. */
const USER_AGENT_LENGTH_MAX = 256

async function cutUserAgent(session: { userAgent?: string | null | undefined }) {
  return { data: { ...session, userAgent: session.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null } }
}

/** The service never calls the provider on a user's behalf, so it stores none of its tokens. */
async function dropProviderTokens(account: object) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
}

/** Records that single sign-on works for an account, whether it was linked, or created with it. */
async function recordLink(
  { userId, providerId }: { userId: string; providerId: string },
  headers: Headers | undefined,
  audit: Pick<AuditLog, 'record'>,
): Promise<void> {
  if (providerId === 'credential') return
  const by = { userId, name: 'single sign-on', ...(headers && requestOrigin(headers)) }
  await audit.record({ kind: 'account.sign-on-linked', userId, by, detail: { provider: providerId } })
}

/** Logs better-auth's errors as warnings: most are rejected sign-ins. An unavailable store is reported elsewhere. */
function betterAuthLogger(onEvent: (event: LogEvent) => void): NonNullable<BetterAuthOptions['logger']> {
  return {
    level: 'error',
    log(_level, message, ...details) {
      if (seenUnavailability() !== undefined) return
      const fields = { detail: message, ...(details.length > 0 && { error: details.map(String).join(' ') }) }
      onEvent({ level: 'warn', message: 'better-auth reported an error', fields })
    },
  }
}

/** Logs internal errors. Without this, better-auth writes them to standard error as text. */
function logError(error: unknown, onEvent: (event: LogEvent) => void): void {
  if ((isAPIError(error) && error.statusCode < 500) || seenUnavailability() !== undefined) return
  const fields = { error: errorText(error) }
  onEvent({ level: 'error', message: 'sign-in request failed', fields })
}

/** Spaces and format characters, except joiners inside words (Persian, Hindi, Sinhala) and emoji. */
const INVISIBLE = new RegExp(
  [
    '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\s]',
    '(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\u200c\\u200d]',
    '[\\u200c\\u200d](?![\\p{L}\\p{M}\\p{Extended_Pictographic}])',
  ].join('|'),
  'gu',
)

const NAME_LENGTH_MAX = 100
const EMAIL_LENGTH_MAX = 254

/**
 * Normalizes a user before better-auth stores it: a name of 1 to 100 visible characters, and no picture, which another host
 * would serve. Throws an `APIError` with status 400.
 */
async function cleanUser<T extends { name?: string; email?: string }>(user: T) {
  const { name, email } = user
  if (email !== undefined && email.length > EMAIL_LENGTH_MAX) {
    reject('EMAIL_TOO_LONG', `The email address must have at most ${EMAIL_LENGTH_MAX} characters.`)
  }
  // Providers' addresses are not checked by better-auth. A line break would reach the headers of emails.
  if (email !== undefined && !/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(email)) {
    reject('INVALID_EMAIL', 'The email address is invalid.')
  }
  if (name !== undefined && typeof name !== 'string') reject('NAME_MISSING', 'Enter your name.')
  if (name === undefined) return { data: { ...user, image: null } }
  const cleaned = name.replace(INVISIBLE, ' ').replace(/ +/g, ' ').trim() || (email?.split('@')[0] ?? '')
  if (cleaned === '') reject('NAME_MISSING', 'Enter your name.')
  if (cleaned.length > NAME_LENGTH_MAX) {
    reject('NAME_TOO_LONG', `The name must have at most ${NAME_LENGTH_MAX} characters.`)
  }
  return { data: { ...user, name: cleaned, image: null } }
}

function reject(code: string, message: string): never {
  throw new APIError('BAD_REQUEST', { code, message })
}
