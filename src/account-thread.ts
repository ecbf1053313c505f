import { parentPort, workerData } from 'node:worker_threads'
import type { AccountThreadOptions } from './account/account-thread-options.ts'
import { invitation } from './account/mail/letters.ts'
import { openMailer } from './account/mail/smtp-mailer.ts'
import type { FromAccountThread, ToAccountThread } from './account/node-port.ts'
import { accountApp } from './account/routes/account-app.ts'
import { openSignIn } from './account/sign-in/open-sign-in.ts'
import { AccountWorker } from './account/thread/account-worker.ts'
import { startDaily } from './account/thread/daily.ts'
import { pathToShow } from './account/thread/plain-http.ts'
import { Questions } from './account/thread/questions.ts'
import { sourceChecker } from './check-source.ts'
import { openStore } from './store/open-store.ts'
import type { LogEvent } from './threads/log-event.ts'
import { STOP } from './threads/supervised-thread.ts'

// The entry of the account thread; `startAccountThread()` is the way in.

/** A year of usage, and a month to compare it with. */
const USAGE_KEPT_MS = 400 * 86_400_000

if (parentPort === null) throw new Error('Cannot run the account thread: it must be started as a thread')
const port = parentPort
const options: AccountThreadOptions = workerData
const { account: settings, databaseUrl, dashboardUrl, version } = options

const post = (message: FromAccountThread) => port.postMessage(message)
const onEvent = (event: LogEvent) => post({ kind: 'event', event })
// What comes while all this opens is not lost: a port keeps it until somebody listens.
const store = await openStore(databaseUrl)
const { smtpUrl, mailFrom } = settings
const mailer = smtpUrl === undefined ? undefined : openMailer({ smtpUrl, mailFrom }, onEvent)
const signIn = await openSignIn({ ...options, settings, store, mailer, now: Date.now, onEvent })
const questions = new Questions(post)
const app = accountApp({
  store,
  signIn,
  dashboardUrl,
  databaseUrl,
  version,
  operatorEmails: settings.operatorEmails,
  ask: (question) => questions.ask(question),
  applyKeys: (keys) => post({ kind: 'keys', keys }),
  checkSource: sourceChecker({ allowPrivate: options.allowPrivateSources }),
  ...(mailer && { mailInvitation: (invited) => mailer.post(invitation(invited)) }),
  now: Date.now,
  onFault: (fault, { method, path }) => {
    const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
    const fields = { error, method, path: pathToShow(path) }
    onEvent({ level: 'error', message: 'dashboard request failed', fields })
  },
})
const worker = new AccountWorker({
  store,
  signIn,
  app,
  questions,
  origin: new URL(dashboardUrl).origin,
  post,
})
const daily = startDaily(async () => {
  await store.usage.forget(Date.now() - USAGE_KEPT_MS)
  await signIn.purge()
}, onEvent)

port.on('message', (message: ToAccountThread | typeof STOP) => {
  if (message === STOP) void stop()
  else worker.take(message)
})

const link = await signIn.offerSetup()
if (link !== undefined) onEvent({ level: 'info', message: 'setup link made', fields: { link } })

async function stop(): Promise<void> {
  await worker.finish()
  await daily.stop()
  await signIn.close()
  await mailer?.close()
  await store.close()
  port.close()
}
