import { type EnvironmentReader, integer, truth, type Variable } from './environment.ts'

/** How people sign in and who may. */
export interface AccountConfig {
  /** `domains`: whoever has an address in `signUpDomains`; `invited`: whoever holds an invitation. */
  readonly signUp: 'open' | 'invited' | 'domains'
  readonly signUpDomains: readonly string[]
  /** E-mail and password may be used. */
  readonly passwordSignIn: boolean
  /** Lower case. Each becomes an operator once the address is confirmed. */
  readonly operatorEmails: readonly string[]
  /** `smtp://` or `smtps://`; may hold a password: never to be shown. */
  readonly smtpUrl?: string
  readonly mailFrom: string
  readonly oidc?: OidcConfig
  /** At least 32 characters; without it the store keeps one. Never to be shown. */
  readonly authSecret?: string
  /** How many proxies in front of us add to `X-Forwarded-For`. */
  readonly trustedProxies: number
  /** How large a file may be that an operator brings to the dashboard. */
  readonly uploadBytesMax: number
}

/** One OpenID Connect provider. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  /** Never to be shown. */
  readonly clientSecret: string
  /** What the button says. */
  readonly name: string
}

/** Part of `VARIABLES` in config.ts. */
export const ACCOUNT_VARIABLES = {
  signUp: {
    name: 'SIGN_UP',
    fallback: 'open',
    must: 'open or invited',
    parse: (text: string) => (['open', 'invited'] as const).find((policy) => policy === text),
  },
  signUpDomains: {
    name: 'SIGN_UP_DOMAINS',
    fallback: '',
    must: 'domains, separated by commas: example.org, example.com',
    parse: (text: string) => parseList(text, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
  },
  passwordSignIn: { name: 'PASSWORD_SIGN_IN', fallback: 'true', ...truth() },
  operatorEmails: {
    name: 'OPERATOR_EMAILS',
    fallback: '',
    must: 'e-mail addresses, separated by commas',
    parse: (text: string) => parseList(text, /^[^\s@]+@[^\s@]+$/),
  },
  smtpUrl: {
    name: 'SMTP_URL',
    fallback: '',
    must: 'smtp://<user>:<password>@<host>:<port> or smtps://…',
    parse: (text: string) => (text === '' || /^smtps?:\/\/./.test(text) ? text : undefined),
    secret: true,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    fallback: 'Scheduling Slots <no-reply@localhost>',
    must: 'an e-mail address, or a name and one in angle brackets',
    parse: (text: string) => (/^[^@\r\n]+@[^@\s>]+>?$/.test(text) ? text : undefined),
  },
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    fallback: '',
    must: 'the http or https URL of an OpenID Connect issuer',
    parse: (text: string) => (text === '' || /^https?:\/\/./.test(text) ? text : undefined),
  },
  oidcClientId: { name: 'OIDC_CLIENT_ID', fallback: '', must: 'a text', parse: (text: string) => text },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    fallback: '',
    must: 'a text',
    parse: (text: string) => text,
    secret: true,
  },
  oidcName: { name: 'OIDC_NAME', fallback: 'single sign-on', must: 'a text', parse: (text: string) => text },
  authSecret: {
    name: 'AUTH_SECRET',
    fallback: '',
    must: 'at least 32 characters',
    parse: (text: string) => (text === '' || text.length >= 32 ? text : undefined),
    secret: true,
  },
  trustedProxies: { name: 'TRUSTED_PROXIES', fallback: '0', ...integer(0, 10) },
  uploadMbMax: { name: 'UPLOAD_MB_MAX', fallback: '256', ...integer(1, 4096) },
} satisfies Record<string, Variable<unknown>>

/** Notes as faults what does not go together. */
export function readAccountConfig(reader: EnvironmentReader): AccountConfig {
  const signUpDomains = reader.read(ACCOUNT_VARIABLES.signUpDomains)
  const signUp = reader.read(ACCOUNT_VARIABLES.signUp)
  const smtpUrl = reader.read(ACCOUNT_VARIABLES.smtpUrl)
  const authSecret = reader.read(ACCOUNT_VARIABLES.authSecret)
  const oidc = readOidc(reader)
  const passwordSignIn = reader.read(ACCOUNT_VARIABLES.passwordSignIn)
  if (!passwordSignIn && oidc === undefined) {
    reader.faults.push('PASSWORD_SIGN_IN must be true while OIDC_ISSUER is unset: else nobody could sign in')
  }
  if (signUpDomains.length > 0 && smtpUrl === '' && oidc === undefined) {
    reader.faults.push(
      'SIGN_UP_DOMAINS must go with SMTP_URL or OIDC_ISSUER: else no address could be confirmed',
    )
  }
  return {
    signUp: signUp === 'open' && signUpDomains.length > 0 ? 'domains' : signUp,
    signUpDomains,
    passwordSignIn,
    operatorEmails: reader.read(ACCOUNT_VARIABLES.operatorEmails),
    mailFrom: reader.read(ACCOUNT_VARIABLES.mailFrom),
    trustedProxies: reader.read(ACCOUNT_VARIABLES.trustedProxies),
    uploadBytesMax: reader.read(ACCOUNT_VARIABLES.uploadMbMax) * 2 ** 20,
    ...(smtpUrl !== '' && { smtpUrl }),
    ...(authSecret !== '' && { authSecret }),
    ...(oidc !== undefined && { oidc }),
  }
}

function readOidc(reader: EnvironmentReader): OidcConfig | undefined {
  const issuer = reader.read(ACCOUNT_VARIABLES.oidcIssuer)
  const clientId = reader.read(ACCOUNT_VARIABLES.oidcClientId)
  const clientSecret = reader.read(ACCOUNT_VARIABLES.oidcClientSecret)
  const name = reader.read(ACCOUNT_VARIABLES.oidcName)
  if (issuer === '' && clientId === '' && clientSecret === '') return undefined
  for (const [variable, value] of [
    ['OIDC_ISSUER', issuer],
    ['OIDC_CLIENT_ID', clientId],
    ['OIDC_CLIENT_SECRET', clientSecret],
  ]) {
    if (value === '') reader.faults.push(`${variable} must be set where another OIDC variable is`)
  }
  return { issuer, clientId, clientSecret, name }
}

/** Lower case, without repetition. Undefined if one of them has not the form. */
export function parseList(text: string, form: RegExp): readonly string[] | undefined {
  const parts = text
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.every((part) => form.test(part)) ? [...new Set(parts)] : undefined
}
