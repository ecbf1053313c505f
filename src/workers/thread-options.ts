import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { defined } from '../lib/optional.ts'
import type { DashboardThreadOptions } from './dashboard-messages.ts'
import type { ProcessBudget } from './process-budget.ts'
import type { SubscriptionsThreadOptions } from './subscriptions-worker.ts'

/** What the configuration says to several threads. */
export function sharedOptions(config: Config) {
  const { baseUrl, dashboardUrl, docsUrl, securityContact, service, statusPage, publicCounts } = config
  const { trustedProxies } = config.account
  return { baseUrl, dashboardUrl, docsUrl, trustedProxies, securityContact, service, statusPage, publicCounts }
}

export function meterOptions({ account: { trustedProxies }, requestLog: { addresses: logsAddresses } }: Config) {
  return { trustedProxies, logsAddresses }
}

export function followOptions({ databaseUrl, databaseDirectUrl, checkpointFolder, revocationLog }: Config) {
  return { databaseUrl, databaseDirectUrl, checkpointFolder, revocationLog }
}

export function subscriptionsOptions(config: Config): SubscriptionsThreadOptions {
  const { databaseUrl, baseUrl, service } = config
  const { allowPrivate } = config.subscriptions
  const { authSecret, previousAuthSecrets, smtpUrl, mailFrom } = config.account
  return {
    databaseUrl,
    baseUrl,
    dashboardUrl: withSlash(config.dashboardUrl),
    service,
    allowPrivate,
    account: { mailFrom, ...defined({ authSecret, previousAuthSecrets, smtpUrl }) },
  }
}

export function dashboardOptions(config: Config, { heapMb, jobsMax }: ProcessBudget): DashboardThreadOptions {
  const { trustedProxies: _, uploadBytesMax, ...account } = config.account
  return {
    databaseUrl: config.databaseUrl,
    revocationLog: config.revocationLog,
    baseUrl: config.baseUrl,
    dashboardUrl: withSlash(config.dashboardUrl),
    docsUrl: config.docsUrl,
    version: packageJson.version,
    service: config.service,
    allowPrivateSources: config.allowPrivateSources,
    allowedSourceHosts: config.allowedSourceHosts,
    sourceSecrets: config.sourceSecrets,
    subscriptions: config.subscriptions,
    uploadBytesMax,
    isTerminal: process.stdout.isTTY === true,
    slotsMax: config.slotsMax,
    rateLimits: config.rateLimits,
    openFeed: config.openFeed,
    jobs: { heapMb, atOnceMax: jobsMax },
    account,
    alerts: config.alerts,
    audit: config.audit,
    requestLog: config.requestLog,
  }
}

function withSlash(url: string): string {
  return url.replace(/\/*$/, '/')
}
