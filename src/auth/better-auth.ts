import { passkey } from '@better-auth/passkey'
import { type Auth, type BetterAuthOptions, betterAuth } from 'better-auth'
import { getOAuthState, isAPIError } from 'better-auth/api'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import type { SignInConfig } from '../config/config.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import { seenUnavailability } from '../store/sql/store-availability.ts'
import { ADDRESS_HEADER } from './address-block.ts'
import type { SignInMails } from './auth-emails.ts'
import type { OidcProvider } from './oidc.ts'
import { FRESH_MS_MAX } from './sign-in.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'
import { cleanPerson } from './user-fields.ts'

/** The sign-in library, as it is set up here. */
export type Library = Auth<BetterAuthOptions>

export interface LibraryParts {
  readonly tables: SignInTables
  readonly secret: string
  readonly dashboardUrl: string
  readonly settings: Pick<SignInConfig, 'passwordSignIn'>
  /** Absent where no mail can be sent. */
  readonly mails: SignInMails | undefined
  /** The provider, once it was found. */
  readonly oidc: OidcProvider | undefined
  readonly policy: SignUpPolicy
  onEvent(event: LogEvent): void
}

/** How long a session lives after it was last used on another day. */
export const SESSION_MS = 30 * DAY_MS

/** How long links that confirm or reset something work. */
export const LINK_MS = HOUR_MS

export const PASSWORD_LENGTH_MIN = 10
export const PASSWORD_LENGTH_MAX = 128

/** Sets the library up on our tables. It asks no other host but the OpenID provider, and writes nothing but to those tables. */
export function openLibrary(parts: LibraryParts): Library {
  return betterAuth(libraryOptions(parts))
}

/** What the library is told; its own idea of the tables follows from it. */
export function libraryOptions(parts: LibraryParts): BetterAuthOptions {
  const { origin } = new URL(parts.dashboardUrl)
  return {
    appName: 'Scheduling Slots',
    baseURL: origin,
    basePath: '/api/auth',
    trustedOrigins: [origin],
    secret: parts.secret,
    database: { db: parts.tables.queries, type: parts.tables.type },
    telemetry: { enabled: false },
    logger: libraryLog(parts.onEvent),
    onAPIError: { errorURL: `${origin}/app/sign-in`, onError: (error) => tellFault(error, parts.onEvent) },
    plugins: plugins(parts, origin),
    advanced: advanced(origin),
    rateLimit: RATE_LIMIT,
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_MS / 1000,
      updateAge: 86_400,
      freshAge: FRESH_MS_MAX / 1000,
    },
    ...people(parts),
    ...passwords(parts),
    databaseHooks: {
      user: { create: { before: cleanPerson }, update: { before: cleanPerson } },
      account: { create: { before: dropProviderTokens } },
    },
  }
}

function plugins({ oidc }: LibraryParts, origin: string): NonNullable<BetterAuthOptions['plugins']> {
  const keys = passkey({
    rpID: new URL(origin).hostname,
    rpName: 'Scheduling Slots',
    origin,
    schema: { passkey: { modelName: 'passkeys' } },
  })
  const codes = twoFactor({ issuer: 'Scheduling Slots', schema: { twoFactor: { modelName: 'two_factors' } } })
  return oidc === undefined ? [keys, codes] : [keys, codes, genericOAuth({ config: [oidc] })]
}

/** Over https the prefix makes browsers insist on `Secure`, `Path=/` and no `Domain` (RFC 6265bis, 4.1.3.2). */
function advanced(origin: string): NonNullable<BetterAuthOptions['advanced']> {
  const isSecure = origin.startsWith('https:')
  return {
    // The library's own prefix would be `__Secure-`.
    useSecureCookies: false,
    cookiePrefix: cookiePrefix(origin),
    defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    disableCSRFCheck: false,
    disableOriginCheck: false,
    // A test holds the schema, so that a start need not.
    database: { validateSchema: false },
  }
}

/** What the names of the cookies begin with. */
export function cookiePrefix(origin: string): string {
  return origin.startsWith('https:') ? '__Host-slots' : 'slots'
}

/**
 * How often one address may ask, whatever comes of it; guesses are slowed down apart, and for all nodes together. In memory:
 * a guard against floods must not write to the disk itself. Room enough for an office behind one address.
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

function people({
  mails,
  policy,
}: LibraryParts): Pick<BetterAuthOptions, 'user' | 'account' | 'verification'> {
  return {
    user: {
      modelName: 'users',
      // Where mail can be sent, the new address must be confirmed; elsewhere none is, so none can be lost.
      changeEmail: { enabled: true, updateEmailWithoutVerification: mails === undefined },
      validateUserInfo: (incoming) => checkNewcomer(incoming, policy, mails),
    },
    account: {
      modelName: 'credentials',
      updateAccountOnSignIn: false,
      // An account with the same address is linked only if both sides have it confirmed.
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    // Whoever reads the table must not be able to reset passwords by it.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
  }
}

function passwords({
  settings,
  mails,
}: LibraryParts): Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'> {
  const emailAndPassword = {
    enabled: settings.passwordSignIn,
    minPasswordLength: PASSWORD_LENGTH_MIN,
    maxPasswordLength: PASSWORD_LENGTH_MAX,
    requireEmailVerification: mails !== undefined,
    resetPasswordTokenExpiresIn: LINK_MS / 1000,
    revokeSessionsOnPasswordReset: true,
  }
  if (mails === undefined) return { emailAndPassword }
  return {
    emailAndPassword: {
      ...emailAndPassword,
      sendResetPassword: async ({ user, token }) => mails.resetPassword(user.email, token),
      onExistingUserSignUp: async ({ user }) => mails.alreadyRegistered(user.email),
    },
    emailVerification: {
      expiresIn: LINK_MS / 1000,
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      sendVerificationEmail: async ({ user, token }) => mails.confirm(user.email, token),
    },
  }
}

/** Sign-ups by password were checked before the library got to see them; those by a provider show only here. */
async function checkNewcomer(
  { user, source }: Parameters<ValidateUserInfo>[0],
  policy: SignUpPolicy,
  mails: SignInMails | undefined,
) {
  if (source.action !== 'create-user' || source.method !== 'oauth') return
  const state = await getOAuthState()
  const invitation = typeof state?.invitation === 'string' ? state.invitation : undefined
  const proof = user.emailVerified === true ? 'provider' : mails === undefined ? 'none' : 'mail'
  const refusal = await policy.refusal({ email: user.email ?? '', proof, invitation })
  return refusal === undefined ? undefined : { error: 'SIGN_UP_REFUSED', errorDescription: refusal }
}

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/** Nothing is ever asked of the provider in a person's name, so what would allow it is not kept. */
async function dropProviderTokens(account: object) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
}

/** What it calls errors is mostly that somebody was refused. That the store is away is told once, elsewhere. */
function libraryLog(onEvent: (event: LogEvent) => void): NonNullable<BetterAuthOptions['logger']> {
  return {
    level: 'error',
    log(_level, message, ...details) {
      if (seenUnavailability() !== undefined) return
      const fields = { detail: message, ...(details.length > 0 && { error: details.map(String).join(' ') }) }
      onEvent({ level: 'warn', message: 'sign-in library complained', fields })
    },
  }
}

/** Refusals are answers; what is not one is a fault of ours, and without this it would go to standard error as text. */
function tellFault(error: unknown, onEvent: (event: LogEvent) => void): void {
  if ((isAPIError(error) && error.statusCode < 500) || seenUnavailability() !== undefined) return
  const fields = { error: errorText(error) }
  onEvent({ level: 'error', message: 'sign-in request failed', fields })
}
