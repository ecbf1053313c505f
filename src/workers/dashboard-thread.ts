import { once } from 'node:events'
import { hostname } from 'node:os'
import { deleteExpiredSignIns } from '../auth/expired-sign-ins.ts'
import { rememberService } from '../auth/service-addresses.ts'
import { createSetupLink, needsOperator } from '../auth/setup.ts'
import type { NodeHealth, NodeQuery } from '../http/node-query.ts'
import { rejection, type SerializedRequest } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'
import { openChannels } from '../notifications/alerts/alert-channel.ts'
import { AlertChannels } from '../notifications/alerts/alert-channels.ts'
import { Alerts } from '../notifications/alerts/alerts.ts'
import { NodeMemory, type NodeSlots } from '../notifications/alerts/node-memory.ts'
import { storeUnavailable } from '../shared/dashboard-problem.ts'
import { ADDRESSES_KEPT_MS } from '../store/contracts/request-log.ts'
import type { Store } from '../store/contracts/store.ts'
import { openStore, sqlitePath } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { openAuditStream } from './audit-stream.ts'
import type { DashboardOperations, DashboardParent, DashboardThreadOptions } from './dashboard-messages.ts'
import { DashboardService } from './dashboard-service.ts'
import type { OpenDashboardApi } from './open-dashboard-api.ts'
import { openSlotCounter } from './open-slot-counter.ts'
import { collectStartGarbageSoon } from './start-garbage.ts'
import type { openStoreOperations as OpenStoreOperations } from './store-operations.ts'
import { openThread, threadOptions } from './thread-entry.ts'

// Thread entry: signs people in, answers the dashboard API, MCP and the change log, stores usage. Started by DashboardWorker.

type Responder = Pick<DashboardService, 'respond' | 'addUsage'>

/** Of usage, and of keys and invitations after their end: a year, and a month to compare it with. */
const RETENTION_MS = 400 * DAY_MS

/** Nodes have noticed the deletion of a subscription long before. */
const DELETED_KEPT_MS = 7 * DAY_MS

/** Responds while the store is unavailable and nothing is open yet. */
const UNAVAILABLE: Responder = {
  async respond(request: SerializedRequest) {
    if (request.operation !== undefined) return (await storeOperations()).unavailableOperation(request)
    const { message, headers } = storeUnavailable()
    return rejection(request, 'not-ready', message, headers)
  },
  addUsage: async () => ({ stored: false }),
}

/** Loaded with the first request: an idle node saves the memory. */
function storeOperations() {
  return import('./store-operations.ts')
}

const options = threadOptions<DashboardThreadOptions>()
const { account: settings, audit, baseUrl, databaseUrl, dashboardUrl, requestLog, revocationLog, service } = options
const opening = Promise.withResolvers<Responder>()
/** Requests wait for the store to open, but not once it is known to be unavailable. */
let responder: Promise<Responder> = opening.promise
const { parent, stopping, onEvent, close } = openThread<DashboardParent, DashboardOperations>({
  respond: async (request, signal) => (await responder).respond(request, signal),
  addUsage: async (batch) => (await responder).addUsage(batch),
})
const query = (query: NodeQuery, signal?: AbortSignal) => parent.request('query', query, signal && { signal })

const { smtpUrl, mailFrom } = settings
const mailer = smtpUrl === undefined ? undefined : await openSmtpMailer({ smtpUrl, mailFrom })

const opened = await retryUntilAvailable(open, { onEvent: noteUnavailable, signal: stopping })
if (opened !== undefined) await serve(opened)
await mailer?.close()
close()

async function openSmtpMailer(smtp: { smtpUrl: string; mailFrom: string }) {
  const { openMailer } = await import('../notifications/mail/smtp-mailer.ts')
  return openMailer(smtp, onEvent)
}

async function open() {
  const store = await openStore(databaseUrl, { revocationLog })
  try {
    await rememberService(store.operators, { baseUrl, dashboardUrl, hasAuthSecret: settings.authSecret !== undefined })
    return { store, isWithoutOperator: await needsOperator(store.operators, settings) }
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
async function serve({ store, isWithoutOperator }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const { alerts, alertChannels } = alertsOf(store)
  let operations: ReturnType<typeof OpenStoreOperations> | undefined
  const api = dashboardApiOf(store, alertChannels)
  const responses = new DashboardService({
    store,
    logEntriesMax: requestLog.entriesMax,
    pollsReportOutages: sqlitePath(databaseUrl) === undefined,
    openApi: api.open,
    async operate(request, signal) {
      const { openStoreOperations } = await storeOperations()
      operations ??= openStoreOperations({ store, options, query, onError: logError })
      return operations(request, signal)
    },
    origin: new URL(dashboardUrl).origin,
    onEvent,
  })
  const purge = new Periodic((signal) => retryUntilAvailable(() => purgeOld(store), { signal }), {
    everyMs: DAY_MS,
    onError: (error) => logFailure('old usage could not be deleted', error),
  })
  // Anyone can begin sign-ins, which expire within minutes. Deleted once a day with the rest, they could fill the disk.
  const signIns = new Periodic(
    (signal) => retryUntilAvailable(() => deleteExpiredSignIns(store, store.now()), { signal }),
    {
      everyMs: 10 * MINUTE_MS,
      onError: (error) => logFailure('expired sessions could not be deleted', error),
    },
  )
  const counter = openSlotCounter({ store, query, now: store.now, onEvent })
  const { log: target, entriesMax } = audit
  const auditStream = target === undefined ? undefined : openAuditStream({ store, target, entriesMax, onEvent })
  auditStream?.start()
  purge.start()
  signIns.start()
  counter.start()
  alerts?.start()
  if (isWithoutOperator) onEvent(await setupEvent(store))
  use(responses)

  if (!stopping.aborted) await once(stopping, 'abort')
  await (await api.opened)?.stopJobs()
  await responses.finish()
  await alerts?.stop()
  await counter.close()
  await signIns.close()
  await purge.close()
  await (await api.opened)?.close()
  await auditStream?.close()
  await store.close()
}

/** The setup link is a credential: only a terminal shows it, because other output is usually collected and kept. */
async function setupEvent(store: Store): Promise<LogEvent> {
  if (options.isTerminal) {
    const created = await createSetupLink(store.operators, { dashboardUrl, now: store.now, by: { name: 'service' } })
    return { level: 'info', message: 'setup link made', fields: { ...created } }
  }
  const fields = { hint: 'To become the operator, run "slots operator link" on the server and open the link.' }
  return { level: 'info', message: 'no operator yet', fields }
}

/** The dashboard API, which the first request opens. */
function dashboardApiOf(store: Store, alerts: AlertChannels) {
  const applyKeys = (keys: readonly ApiKey[]) => parent.request('applyKeys', keys)
  const shared = { options, retentionMs: RETENTION_MS, mailer, query, stopping, onEvent }
  let opened: Promise<OpenDashboardApi> | undefined
  const load = async () => {
    const { openDashboardApi } = await import('./open-dashboard-api.ts')
    collectStartGarbageSoon()
    return openDashboardApi({ ...shared, store, alerts, applyKeys })
  }
  return {
    /** Rejects while the store is unavailable. */
    open(): Promise<OpenDashboardApi> {
      opened ??= load().catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
    /** Undefined if there was no request. */
    get opened(): Promise<OpenDashboardApi> | undefined {
      return opened
    },
  }
}

/** Without alert channels, nothing watches the sources. */
function alertsOf(store: Store): { alerts: Alerts | undefined; alertChannels: AlertChannels } {
  const clock = store.now
  const { alerts: alertSettings, allowPrivateSources: allowPrivate } = options
  const channels = openChannels({ settings: alertSettings, mailer, dashboardUrl, service, allowPrivate, now: clock })
  const node = { memory: new NodeMemory(hostname()), read: readNodeSlots }
  const alerts = channels.length === 0 ? undefined : new Alerts({ store, channels, clock, onEvent, node })
  return { alerts, alertChannels: new AlertChannels({ store, channels, alerts, clock, signal: stopping }) }
}

/** Undefined while the node loads its slots. */
async function readNodeSlots(): Promise<NodeSlots | undefined> {
  const { status, body } = await query({ about: 'health' })
  if (status !== 200) return undefined
  const { ready, slots, memory }: NodeHealth = JSON.parse(Buffer.from(body).toString())
  return ready ? { slots, missingSlots: memory.missingSlots } : undefined
}

async function purgeOld(store: Store): Promise<void> {
  const beforeMs = store.now() - RETENTION_MS
  await store.usage.deleteBefore(beforeMs)
  await store.requestLog.deleteBefore(store.now() - requestLog.retentionMs)
  await store.requestLog.deleteAddressesBefore(
    requestLog.addresses ? store.now() - ADDRESSES_KEPT_MS : Number.MAX_SAFE_INTEGER,
  )
  await store.keys.deleteEnded(beforeMs)
  await store.invitations.deleteEnded(beforeMs)
  await store.operators.deleteExpiredSecrets()
  await store.subscriptions.deleteEnded(store.now() - DELETED_KEPT_MS)
  const { retentionMs } = audit
  if (retentionMs !== undefined) await store.audit.deleteBefore(store.now() - retentionMs)
}

function logError(error: unknown, request: { id: string; method: string; url: string }): void {
  logFailure('request failed', error, { request })
}

function logFailure(message: string, error: unknown, fields: LogEvent['fields'] = {}): void {
  onEvent({ level: 'error', message, fields: { error: errorText(error), ...fields } })
}
