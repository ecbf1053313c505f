import { UNNAMED_SERVICE } from '../../src/shared/service-identity.ts'
import type { DashboardThreadOptions } from '../../src/workers/dashboard-messages.ts'

/** The options of a dashboard thread that anyone can sign up to, with overrides. */
export function dashboardThreadOptions(
  {
    origin = 'http://localhost',
    ...options
  }: Partial<Omit<DashboardThreadOptions, 'account'>> & { origin?: string } = {},
  account: Partial<DashboardThreadOptions['account']> = {},
): DashboardThreadOptions {
  return {
    databaseUrl: 'sqlite:./unused.db',
    baseUrl: origin,
    dashboardUrl: `${origin}/`,
    docsUrl: `${origin}/docs`,
    version: '1.2.3',
    service: UNNAMED_SERVICE,
    audit: {},
    requestLog: { retentionMs: 7 * 86_400_000, entriesMax: 1000, addresses: true },
    jobs: { heapMb: 128, atOnceMax: 2 },
    isTerminal: false,
    allowPrivateSources: false,
    slotsMax: 1000,
    rateLimits: {},
    subscriptions: { max: 1000, allowPrivate: false },
    uploadBytesMax: 1_000_000,
    alerts: { emails: [] },
    account: {
      signUp: 'open',
      signUpDomains: [],
      passwordSignIn: true,
      operatorEmails: [],
      mailFrom: 'a@b',
      changesPerHourMax: 300,
      ...account,
    },
    ...options,
  }
}
