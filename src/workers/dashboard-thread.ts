import { once } from 'node:events'
import { type OpenSignIn, openSignIn } from '../auth/open-sign-in.ts'
import type { DashboardContext } from '../http/dashboard-api/context.ts'
import { dashboardApi } from '../http/dashboard-api/dashboard-api.ts'
import { FeedChecks } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import { McpEndpoint, mcpUnavailable } from '../http/mcp/mcp-endpoint.ts'
import type { NodeQuery } from '../http/node-query.ts'
import { MCP_PATH } from '../http/relay.ts'
import { problemResponse, rejection, type SerializedRequest } from '../http/serialized-http.ts'
import { ChangesHandler, changesUnavailable } from '../http/v1/list-changes/serve-changes.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { DAY_MS } from '../lib/time.ts'
import { openChannels } from '../notifications/alerts/alert-channel.ts'
import { AlertChannels } from '../notifications/alerts/alert-channels.ts'
import { Alerts } from '../notifications/alerts/alerts.ts'
import { invitation } from '../notifications/mail/mails.ts'
import { openMailer } from '../notifications/mail/smtp-mailer.ts'
import { storeUnavailable } from '../shared/dashboard-problem.ts'
import type { Store } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { openAuditStream } from './audit-stream.ts'
import { sourceChecker } from './check-source.ts'
import type { DashboardOperations, DashboardParent, DashboardThreadOptions } from './dashboard-messages.ts'
import { DashboardService, pathForLog } from './dashboard-service.ts'
import { checkRunner, uploadImporter } from './jobs.ts'
import { openSlotCounter } from './open-slot-counter.ts'
import { openThread, threadOptions } from './thread-entry.ts'

// Thread entry: signs people in, answers the dashboard API, MCP and the change log, stores usage. Started by DashboardWorker.

type Responder = Pick<DashboardService, 'respond' | 'addUsage'>

/** Of usage, and of keys and invitations after their end: a year, and a month to compare it with. */
const RETENTION_MS = 400 * DAY_MS

/** Responds while the store is unavailable and nothing is open yet. */
const UNAVAILABLE: Responder = {
  async respond(request: SerializedRequest) {
    if (request.operation !== undefined)
      return problemResponse(request.operation === MCP_PATH ? mcpUnavailable() : changesUnavailable())
    const { message, headers } = storeUnavailable()
    return rejection(request, 'not-ready', message, headers)
  },
  addUsage: async () => ({ stored: false }),
}

const options = threadOptions<DashboardThreadOptions>()
const { account: settings, baseUrl, databaseUrl, dashboardUrl, version } = options
const opening = Promise.withResolvers<Responder>()
/** Requests wait for the store to open, but not once it is known to be unavailable. */
let responder: Promise<Responder> = opening.promise
const { parent, stopping, onEvent, close } = openThread<DashboardParent, DashboardOperations>({
  respond: async (request) => (await responder).respond(request),
  addUsage: async (batch) => (await responder).addUsage(batch),
})
const query = (query: NodeQuery) => parent.request('query', query)

const { smtpUrl, mailFrom } = settings
const mailer = smtpUrl === undefined ? undefined : openMailer({ smtpUrl, mailFrom }, onEvent)
const { allowPrivateSources: allowPrivate, allowedSourceHosts: allowedHosts, sourceSecrets: secrets = {} } = options
const feedChecks = new FeedChecks(checkRunner({ allowPrivate, allowedHosts, secrets }), Date.now)

const opened = await retryUntilAvailable(open, { onEvent: noteUnavailable, signal: stopping })
if (opened !== undefined) await serve(opened)
await mailer?.close()
close()

/** Opens everything that needs the store. */
async function open() {
  const store = await openStore(databaseUrl)
  try {
    const signIn = await openSignIn({ ...options, settings, store, mailer, now: Date.now, onEvent })
    return { store, signIn, needsOperator: await signIn.needsOperator() }
  } catch (error) {
    await store.close()
    throw error
  }
}

function noteUnavailable(event: LogEvent): void {
  onEvent(event)
  use(UNAVAILABLE)
}

function use(next: Responder): void {
  responder = Promise.resolve(next)
  opening.resolve(next)
}

/** Runs until the thread is asked to stop. */
async function serve({ store, signIn, needsOperator }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const { alerts, alertChannels } = alertsOf(store)
  const changes = new ChangesHandler({ log: store.changeLog, baseUrl, now: Date.now, onError: logError })
  const mcp = new McpEndpoint({ ask: query, homes: [baseUrl, dashboardUrl], version, onError: logError })
  const service = new DashboardService({
    store,
    signIn,
    app: dashboardApi(contextOf(store, signIn, alertChannels)),
    operate: (request) => (request.operation === MCP_PATH ? mcp.answer(request) : changes.handle(request)),
    origin: new URL(dashboardUrl).origin,
    onEvent,
  })
  const purge = new Periodic((signal) => retryUntilAvailable(() => purgeOld(store, signIn), { signal }), {
    everyMs: DAY_MS,
    onError: (error) => logFailure('old usage and sessions could not be deleted', error),
  })
  const counter = openSlotCounter({ store, query, now: Date.now, onEvent })
  const { log: target } = options.audit
  const auditStream = target === undefined ? undefined : openAuditStream({ store, target, onEvent })
  auditStream?.start()
  purge.start()
  counter.start()
  alerts?.start()
  if (needsOperator) onEvent(await setupEvent(signIn))
  use(service)

  if (!stopping.aborted) await once(stopping, 'abort')
  await feedChecks.close()
  await service.finish()
  await alerts?.stop()
  await counter.close()
  await purge.close()
  await signIn.close()
  await auditStream?.close()
  await store.close()
}

/** The setup link is a credential: only a terminal shows it, because other output is usually collected and kept. */
async function setupEvent(signIn: OpenSignIn): Promise<LogEvent> {
  if (options.isTerminal)
    return { level: 'info', message: 'setup link made', fields: { ...(await signIn.createSetupLink()) } }
  const fields = { hint: 'To become the operator, run "slots operator link" on the server and open the link.' }
  return { level: 'info', message: 'no operator yet', fields }
}

function contextOf(store: Store, signIn: OpenSignIn, alerts: AlertChannels): DashboardContext {
  return {
    store,
    signIn,
    dashboardUrl,
    databaseUrl,
    version,
    operatorEmails: settings.operatorEmails,
    changesPerHourMax: settings.changesPerHourMax,
    queryNode: query,
    applyKeys: (keys) => parent.request('applyKeys', keys),
    checkSource: sourceChecker({ allowPrivate, allowedHosts }),
    feedChecks,
    alerts,
    importUpload: uploadImporter({
      databaseUrl,
      bytesMax: options.uploadBytesMax,
      ...(options.slotsMax !== undefined && { slotsMax: options.slotsMax }),
      signal: stopping,
      onEvent,
    }),
    ...(mailer && { mailInvitation: (invited) => mailer.post(invitation(invited)) }),
    now: Date.now,
    onError: (error, { method, path }) =>
      logFailure('dashboard request failed', error, { method, path: pathForLog(path) }),
  }
}

/** Without alert channels, nothing watches the sources. */
function alertsOf(store: Store): { alerts: Alerts | undefined; alertChannels: AlertChannels } {
  const clock = Date.now
  const channels = openChannels({ settings: options.alerts, mailer, dashboardUrl, allowPrivate, now: clock })
  const alerts = channels.length === 0 ? undefined : new Alerts({ store, channels, clock, onEvent })
  return { alerts, alertChannels: new AlertChannels({ store, channels, alerts, clock, signal: stopping }) }
}

async function purgeOld(store: Store, signIn: OpenSignIn): Promise<void> {
  const beforeMs = Date.now() - RETENTION_MS
  await store.usage.deleteBefore(beforeMs)
  await store.keys.deleteEnded(beforeMs)
  await store.invitations.deleteEnded(beforeMs)
  await signIn.purge()
  const { retentionMs } = options.audit
  if (retentionMs !== undefined) await store.audit.deleteBefore(Date.now() - retentionMs)
}

function logError(error: unknown, request: { id: string; method: string; url: string }): void {
  logFailure('request failed', error, { request })
}

function logFailure(message: string, error: unknown, fields: LogEvent['fields'] = {}): void {
  onEvent({ level: 'error', message, fields: { error: errorText(error), ...fields } })
}
