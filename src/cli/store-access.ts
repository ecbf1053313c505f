import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { AuthSecrets } from '../auth/auth-secrets.ts'
import { OpenSignIn } from '../auth/open-sign-in.ts'
import { rememberedService, type ServiceAddresses } from '../auth/service-addresses.ts'
import type { AuthUser } from '../auth/session-reader.ts'
import type { SignInConfig } from '../config/config.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { singleLine } from '../lib/text.ts'
import type { Organization } from '../store/contracts/organizations.ts'
import type { SourceState } from '../store/contracts/sources.ts'
import { RateLimitReached, type Store } from '../store/contracts/store.ts'
import { openStore, sqlitePath } from '../store/open-store.ts'
import { type Call, CommandError } from './command.ts'
import { PROGRAM } from './program.ts'

/**
 * Opens the configured store for some work, and closes it. Throws `CommandError` if the work reaches a rate limit, and if there is no
 * store, unless the work may begin a new one.
 */
export async function withStore<T>(
  call: Call,
  work: (store: Store) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  if (!mayCreate) requireStore(call)
  const store = await openStore(call.config.databaseUrl, { revocationLog: call.config.revocationLog })
  try {
    return await work(store)
  } catch (error) {
    throw error instanceof RateLimitReached ? new CommandError(error.message) : error
  } finally {
    await store.close()
  }
}

/** Throws `CommandError` if there is none: a command in the wrong folder would report on an empty store that it has just created. */
export function requireStore({ config }: Call): void {
  const path = sqlitePath(config.databaseUrl)
  if (path === undefined || existsSync(path)) return
  throw new CommandError(`Cannot open store: it does not exist: "${path}"
Run the command in the folder of the service, or set DATABASE_URL as the service has it.`)
}

/**
 * Opens the accounts of the configured store for some work on the account with an email address. Its owner is notified of changes by
 * email if the service can send any. Throws `CommandError`, which begins with the purpose, if there is no such account.
 */
export function withAccount<T>(
  call: Call,
  { email, purpose }: { email: string; purpose: string },
  work: (person: AuthUser, signIn: OpenSignIn, store: Store) => Promise<T>,
): Promise<T> {
  return withStore(call, async (store) => {
    const { account, docsUrl, service } = call.config
    const addresses = { ...(await linkAddresses(call, store)), docsUrl, service, version: '' }
    const onEvent = ({ message, fields }: LogEvent) => call.note(singleLine(`${message}: ${JSON.stringify(fields)}`))
    const mailer = await openNotices(account, onEvent)
    // Commands sign and encrypt nothing of accounts, so those of a service with an AUTH_SECRET work without it.
    const unused = new AuthSecrets(randomBytes(32).toString('base64url'))
    const signIn = new OpenSignIn({ store, settings: account, ...addresses, mailer, now: Date.now, onEvent }, unused)
    try {
      return await work(await getPerson(signIn, email, purpose), signIn, store)
    } finally {
      await signIn.close()
      await mailer?.close()
    }
  })
}

async function openNotices({ smtpUrl, mailFrom }: SignInConfig, onEvent: (event: LogEvent) => void) {
  if (smtpUrl === undefined) return undefined
  const { openMailer } = await import('../notifications/mail/smtp-mailer.ts')
  return openMailer({ smtpUrl, mailFrom }, onEvent)
}

/** The addresses of the service: those of the environment if it names one, else those that the service last started with. */
export async function linkAddresses(call: Call, { operators }: Store): Promise<ServiceAddresses> {
  const { baseUrl, dashboardUrl } = call.config
  if (call.isSet('BASE_URL') || call.isSet('DASHBOARD_URL')) return { baseUrl, dashboardUrl }
  return (await rememberedService(operators)) ?? { baseUrl, dashboardUrl }
}

/**
 * Throws `CommandError` if only the service has an AUTH_SECRET. The command would generate another one in the store: the service
 * decrypts nothing of it until it starts again, and accepts sessions that it signed from then on.
 */
export async function requireAuthSecret(call: Call, { operators }: Store): Promise<void> {
  if (call.isSet('AUTH_SECRET') || !(await rememberedService(operators))?.hasAuthSecret) return
  throw new CommandError('Cannot encrypt: the service has an AUTH_SECRET. Set it for this command, too.')
}

async function getPerson(signIn: OpenSignIn, email: string, purpose: string): Promise<AuthUser> {
  const person = await signIn.findAccount(email)
  if (person !== undefined) return person
  throw new CommandError(
    `Cannot ${purpose}: no account has the email address "${email}"\nAll accounts: ${PROGRAM} account list`,
  )
}

/** The organization with a name or ID. Throws `CommandError`. */
export async function getOrganization(store: Store, idOrName: string): Promise<Organization> {
  const organization = await store.organizations.find(idOrName)
  if (organization !== undefined) return organization
  throw new CommandError(
    `Cannot find organization: no organization has the name or ID "${idOrName}"\nAll organizations: ${PROGRAM} org list`,
  )
}

/** The source with a slug. Throws `CommandError`, which begins with the purpose. */
export async function getSource(store: Store, purpose: string, slug: string): Promise<SourceState> {
  return foundSource(await store.sources.find(slug), purpose, slug)
}

/** Throws `CommandError` if there is no source. */
export function foundSource<Source>(source: Source | undefined, purpose: string, slug: string): Source {
  if (source !== undefined) return source
  throw new CommandError(`Cannot ${purpose}: no source has the slug "${slug}"\nAll sources: ${PROGRAM} source list`)
}
