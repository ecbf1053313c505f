import { parseList } from './account-config.ts'
import type { AlertSettings } from './dashboard-thread-options.ts'
import type { EnvironmentReader, Variable } from './environment.ts'

/** Each gets a mail of its own. */
const EMAILS_MAX = 20

/** Part of `VARIABLES` in config.ts. */
export const ALERT_VARIABLES = {
  alertEmails: {
    name: 'ALERT_EMAILS',
    fallback: '',
    must: `at most ${EMAILS_MAX} e-mail addresses, separated by commas`,
    parse: (text: string) => {
      const emails = parseList(text, /^[^\s@<>]+@[^\s@<>]+$/)
      return emails !== undefined && emails.length <= EMAILS_MAX ? emails : undefined
    },
  },
  alertWebhookUrl: {
    name: 'ALERT_WEBHOOK_URL',
    fallback: '',
    must: 'an https URL without user, password and fragment, or an http one with ALLOW_PRIVATE_SOURCES',
    parse: (text: string) => (text === '' || isWebhookUrl(text) ? text : undefined),
    secret: true,
  },
  alertWebhookSecret: {
    name: 'ALERT_WEBHOOK_SECRET',
    fallback: '',
    must: 'whsec_ and the base64 of 24 to 64 bytes; two of them, separated by a comma, while one takes the place of the other',
    parse: parseSecrets,
    secret: true,
  },
} satisfies Record<string, Variable<unknown>>

/** Notes as faults what does not go together. */
export function readAlertConfig(
  reader: EnvironmentReader,
  around: { readonly smtpUrl?: string | undefined; readonly allowPrivate: boolean },
): AlertSettings {
  const emails = reader.read(ALERT_VARIABLES.alertEmails)
  const url = reader.read(ALERT_VARIABLES.alertWebhookUrl)
  const secrets = reader.read(ALERT_VARIABLES.alertWebhookSecret)
  if (emails.length > 0 && around.smtpUrl === undefined) {
    reader.faults.push('ALERT_EMAILS must go with SMTP_URL: else nobody could send them')
  }
  if ((url === '') !== (secrets.length === 0)) {
    reader.faults.push('ALERT_WEBHOOK_URL must go with ALERT_WEBHOOK_SECRET: a webhook is always signed')
  }
  if (url.startsWith('http:') && !around.allowPrivate) {
    reader.faults.push('ALERT_WEBHOOK_URL must be https, unless ALLOW_PRIVATE_SOURCES is true')
  }
  return { emails, ...(url !== '' && { webhook: { url, secrets } }) }
}

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + hash === ''
}

function parseSecrets(text: string): readonly string[] | undefined {
  const secrets = text === '' ? [] : text.split(',').map((part) => part.trim())
  return secrets.length <= 2 && secrets.every(isWebhookSecret) ? secrets : undefined
}

/** The form that a secret must have: `whsec_` and the base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (encoded === undefined) return false
  const key = Buffer.from(encoded, 'base64')
  return (
    key.length >= 24 &&
    key.length <= 64 &&
    key.toString('base64') === encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=')
  )
}
