import { parentPort, workerData } from 'node:worker_threads'
import { type OpenSignIn, openSignIn } from '../auth/open-sign-in.ts'
import type { AccountContext } from '../http/dashboard-api/context.ts'
import { accountApp } from '../http/dashboard-api/dashboard-api.ts'
import { FeedChecks } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import { McpEndpoint, mcpAway } from '../http/mcp/mcp-endpoint.ts'
import { MCP_PATH } from '../http/relay.ts'
import { problemResponse, type SerializedRequest, type SerializedResponse } from '../http/serialized-http.ts'
import { ChangesHandler, changesUnavailable } from '../http/v1/list-changes/serve-changes.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { retryUntilAvailable } from '../lib/retry-until-available.ts'
import { errorText } from '../lib/text.ts'
import { DAY_MS } from '../lib/time.ts'
import { waysOf } from '../notifications/alerts/alert-channel.ts'
import { WaysDesk } from '../notifications/alerts/alert-channels.ts'
import { Alerts } from '../notifications/alerts/alerts.ts'
import { invitation } from '../notifications/mail/letters.ts'
import { openMailer } from '../notifications/mail/smtp-mailer.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { sourceChecker } from './check-source.ts'
import { startDaily } from './daily.ts'
import type { FromAccountThread, ToAccountThread } from './dashboard-messages.ts'
import type { AccountThreadOptions } from './dashboard-thread-options.ts'
import { AccountWorker } from './dashboard-worker.ts'
import { uploadImporter } from './import-upload.ts'
import { Questions } from './node-queries.ts'
import { startOpenSlotCounter } from './open-slot-counter.ts'
import { pathToShow } from './plain-http.ts'
import { answerAway } from './reply-unavailable.ts'
import { checkRunner } from './run-check.ts'
import { STOP } from './supervised-worker.ts'

// The entry of the account thread; `startAccountThread()` is the way in.

/** A year of usage, and a month to compare it with. */
const USAGE_KEPT_MS = 400 * DAY_MS

if (parentPort === null) throw new Error('Cannot run the account thread: it must be started as a thread')
const port = parentPort
const options: AccountThreadOptions = workerData
const { account: settings, baseUrl, databaseUrl, dashboardUrl, version } = options

const post = (message: FromAccountThread) => port.postMessage(message)
const onEvent = (event: LogEvent) => post({ kind: 'event', event })
const { smtpUrl, mailFrom } = settings
const mailer = smtpUrl === undefined ? undefined : openMailer({ smtpUrl, mailFrom }, onEvent)
const stopping = new AbortController()
const { allowPrivateSources: allowPrivate, sourceSecrets: secrets = {} } = options
const feedChecks = new FeedChecks(checkRunner({ allowPrivate, secrets }), Date.now)
const waiting = {
  name: 'store',
  isUnavailable: (error: unknown) => error instanceof StoreUnavailable,
  onEvent,
  signal: stopping.signal,
}

// What comes while all this opens is not lost: a port keeps it until somebody listens.
const opened = await retryUntilAvailable(open, { ...waiting, onEvent: tellAndRefuse })
port.off('message', refuse)
if (opened === undefined) await leave()
else serve(opened)

/** All that needs the store to be there. */
async function open() {
  const store = await openStore(databaseUrl)
  try {
    const signIn = await openSignIn({ ...options, settings, store, mailer, now: Date.now, onEvent })
    return { store, signIn, setupLink: await signIn.offerSetup() }
  } catch (thrown) {
    await store.close()
    throw thrown
  }
}

/** From when the store is known to be away, nobody is left waiting. */
function tellAndRefuse(event: LogEvent): void {
  onEvent(event)
  if (port.listenerCount('message') === 0) port.on('message', refuse)
}

function refuse(message: ToAccountThread | typeof STOP): void {
  if (message === STOP) stopping.abort()
  else if (message.kind === 'request' && message.request.operation !== undefined)
    post({ kind: 'response', id: message.id, response: answerOperationAway(message.request) })
  else void answerAway(message).then((answer) => answer && post(answer))
}

function answerOperationAway({ operation }: SerializedRequest): SerializedResponse {
  return problemResponse(operation === MCP_PATH ? mcpAway() : changesUnavailable())
}

async function leave(): Promise<void> {
  await mailer?.close()
  port.close()
}

function serve({ store, signIn, setupLink }: Awaited<ReturnType<typeof open>>): void {
  const questions = new Questions(post)
  const { alerts, desk } = alertsOf(store)
  const app = accountApp(contextOf(store, signIn, questions, desk))
  const { origin } = new URL(dashboardUrl)
  const changes = new ChangesHandler({
    log: store.changeLog,
    baseUrl,
    now: Date.now,
    onError: tellFault,
  })
  const mcp = new McpEndpoint({
    ask: (question) => questions.ask(question),
    homes: [baseUrl, dashboardUrl],
    version,
    onFault: tellFault,
  })
  const operate = (request: SerializedRequest) =>
    request.operation === MCP_PATH ? mcp.answer(request) : changes.handle(request)
  const worker = new AccountWorker({ store, signIn, app, questions, operate, origin, post })
  const daily = startDaily(
    () => retryUntilAvailable(() => forgetOld(store, signIn), { ...waiting, onEvent: ignore }),
    onEvent,
  )
  const counter = startOpenSlotCounter({
    store,
    ask: (question) => questions.ask(question),
    now: Date.now,
    onEvent,
  })
  alerts?.start()
  if (setupLink !== undefined)
    onEvent({ level: 'info', message: 'setup link made', fields: { link: setupLink } })
  port.on('message', (message: ToAccountThread | typeof STOP) => {
    if (message === STOP) void stop()
    else worker.take(message)
  })

  async function stop(): Promise<void> {
    stopping.abort()
    await feedChecks.close()
    await worker.finish()
    await daily.stop()
    await alerts?.stop()
    await counter.stop()
    await signIn.close()
    await store.close()
    await leave()
  }
}

function contextOf(store: Store, signIn: OpenSignIn, questions: Questions, alerts: WaysDesk): AccountContext {
  return {
    store,
    signIn,
    dashboardUrl,
    databaseUrl,
    version,
    operatorEmails: settings.operatorEmails,
    ask: (question) => questions.ask(question),
    applyKeys: async (keys) => post({ kind: 'keys', keys }),
    checkSource: sourceChecker({ allowPrivate: options.allowPrivateSources }),
    feedChecks,
    alerts,
    importUpload: uploadImporter({
      databaseUrl,
      bytesMax: options.uploadBytesMax,
      signal: stopping.signal,
      onEvent,
    }),
    ...(mailer && { mailInvitation: (invited) => mailer.post(invitation(invited)) }),
    now: Date.now,
    onFault: (fault, { method, path }) => {
      const error = errorText(fault)
      const fields = { error, method, path: pathToShow(path) }
      onEvent({ level: 'error', message: 'dashboard request failed', fields })
    },
  }
}

function tellFault(fault: unknown, request: { id: string; method: string; url: string }): void {
  const error = errorText(fault)
  onEvent({ level: 'error', message: 'request failed', fields: { error, request } })
}

/** Where nobody is to be told, nobody looks. */
function alertsOf(store: Store): { alerts: Alerts | undefined; desk: WaysDesk } {
  const { alerts: settings, allowPrivateSources: allowPrivate } = options
  const clock = Date.now
  const ways = waysOf({ settings, mailer, dashboardUrl, allowPrivate, now: clock })
  const alerts = ways.length === 0 ? undefined : new Alerts({ store, ways, clock, onEvent })
  return { alerts, desk: new WaysDesk({ store, ways, alerts, clock, signal: stopping.signal }) }
}

async function forgetOld(store: Store, signIn: OpenSignIn): Promise<void> {
  await store.usage.deleteBefore(Date.now() - USAGE_KEPT_MS)
  await signIn.purge()
}

/** That the store is away is told by those who wait for it first. */
function ignore(): void {}
