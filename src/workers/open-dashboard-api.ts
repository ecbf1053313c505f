import { readAuthSecrets } from '../auth/auth-secrets.ts'
import { openSignIn } from '../auth/open-sign-in.ts'
import { dashboardApi } from '../http/dashboard-api/dashboard-api.ts'
import { FeedChecks } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import { OPEN_FEED_PATH } from '../http/v1/fhir-feed/feed-access.ts'
import { MANIFEST_NAME } from '../http/v1/fhir-feed/manifest-parts.ts'
import type { ApiKey } from '../keys/key.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { defined } from '../lib/optional.ts'
import { errorText } from '../lib/text.ts'
import type { AlertChannels } from '../notifications/alerts/alert-channels.ts'
import { invitation } from '../notifications/mail/mails.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { Store } from '../store/contracts/store.ts'
import { SubscriptionChanges } from '../subscriptions/subscription-changes.ts'
import type { DashboardThreadOptions } from './dashboard-messages.ts'
import { type DashboardApi, pathForLog } from './dashboard-service.ts'
import { checkRunner, Jobs, manifestChecker, uploadImporter } from './jobs.ts'

interface DashboardApiOptions {
  readonly options: DashboardThreadOptions
  /** Of usage, and of keys and invitations after their end. */
  readonly retentionMs: number
  readonly store: Store
  readonly alerts: AlertChannels
  readonly mailer: Mailer | undefined
  query(query: NodeQuery, signal?: AbortSignal): Promise<SerializedResponse>
  applyKeys(keys: readonly ApiKey[]): Promise<void>
  readonly stopping: AbortSignal
  readonly onEvent: (event: LogEvent) => void
}

export interface OpenDashboardApi extends DashboardApi {
  /** Ends feed checks and imports. */
  stopJobs(): Promise<void>
  /** Resolves when all background work is done. Call it after the last request. */
  close(): Promise<void>
}

/**
 * Opens sign-in and the dashboard API on a store. The dashboard thread loads this file with the first request: it and its packages are
 * most of the thread's code, and a node whose dashboard is not used needs none of it.
 */
export async function openDashboardApi(dependencies: DashboardApiOptions): Promise<OpenDashboardApi> {
  const { options, store, mailer, stopping, onEvent } = dependencies
  const { account: settings, audit, allowPrivateSources: allowPrivate, allowedSourceHosts: allowedHosts } = options
  const signIn = await openSignIn({ ...options, settings, store, mailer, now: Date.now, onEvent })
  const jobs = new Jobs(options.jobs)
  const runCheck = checkRunner(jobs, { allowPrivate, allowedHosts, secrets: options.sourceSecrets ?? {} })
  const feedChecks = new FeedChecks(runCheck, Date.now, () => jobs.hasRoom)
  const { databaseUrl, dashboardUrl, version, slotsMax, uploadBytesMax: bytesMax } = options
  const app = dashboardApi({
    store,
    signIn,
    dashboardUrl,
    baseUrl: options.baseUrl,
    databaseUrl,
    version,
    operatorEmails: settings.operatorEmails,
    configured: {
      changesPerHourMax: settings.changesPerHourMax,
      rateLimits: options.rateLimits,
      ...(options.openFeed && { openFeedUrl: `${options.baseUrl}${OPEN_FEED_PATH}${MANIFEST_NAME}` }),
      slotsMax,
      uploadBytesMax: bytesMax,
      retentionMs: dependencies.retentionMs,
      requestLog: options.requestLog,
      ...defined({ auditRetentionMs: audit.retentionMs, auditEntriesMax: audit.entriesMax }),
    },
    queryNode: dependencies.query,
    applyKeys: dependencies.applyKeys,
    checkSource: manifestChecker(jobs, { allowPrivate, allowedHosts }),
    feedChecks,
    subscriptions: await subscriptionChanges(dependencies),
    alerts: dependencies.alerts,
    importUpload: uploadImporter(jobs, { store, databaseUrl, bytesMax, slotsMax, signal: stopping, onEvent }),
    ...(mailer && { mailInvitation: (invited) => mailer.post(invitation({ ...invited, service: options.service })) }),
    now: store.now,
    onError(error, { method, path }) {
      const fields = { error: errorText(error), method, path: pathForLog(path) }
      onEvent({ level: 'error', message: 'dashboard request failed', fields })
    },
  })
  return {
    fetch: (request) => app.fetch(request),
    renewSession: (headers) => signIn.renew(headers),
    async stopJobs() {
      await feedChecks.close()
      await jobs.close()
    },
    close: () => signIn.close(),
  }
}

async function subscriptionChanges({ options, store }: DashboardApiOptions): Promise<SubscriptionChanges> {
  const secrets = await readAuthSecrets(options.account, store.operators)
  return new SubscriptionChanges({
    subscriptions: store.subscriptions,
    encrypt: (text) => secrets.encrypt(text),
    ...options.subscriptions,
    now: store.now,
  })
}
