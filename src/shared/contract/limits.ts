import { z } from 'zod'
import type { Contract } from './contract.ts'

const COUNT = z.number()

/** The limits of this installation; what is absent is unlimited. */
const LIMITS = z.strictObject({
  /** Requests a minute, and milliseconds of thread time a second. */
  rates: z.strictObject({
    keyRequests: COUNT.exactOptional(),
    keyMs: COUNT.exactOptional(),
    organizationRequests: COUNT.exactOptional(),
    organizationMs: COUNT.exactOptional(),
  }),
  /** The manifest of the open feed; absent if the feed needs a key. */
  openFeedUrl: z.string().exactOptional(),
  requests: z.strictObject({
    slotsPerPage: COUNT,
    changesPerPage: COUNT,
    targetCharacters: COUNT,
    /** Requests that take long and wait for their turn. */
    waitingPerKey: COUNT,
    waitingPerOrganization: COUNT,
  }),
  organization: z.strictObject({ activeKeys: COUNT, openInvitations: COUNT }),
  account: z.strictObject({ ownedOrganizations: COUNT, organizations: COUNT, changesPerHour: COUNT }),
  /** Of any status. */
  slots: z.strictObject({ all: COUNT, perSource: COUNT, uploadBytes: COUNT }),
  retention: z.strictObject({
    /** Of usage, and of keys and invitations after their end. */
    usageDays: COUNT,
    logDays: COUNT,
    /** Requests in the log of an organization. */
    logEntries: COUNT,
    auditDays: COUNT.exactOptional(),
    auditEntries: COUNT.exactOptional(),
  }),
})
export type Limits = z.infer<typeof LIMITS>

export const LIMITS_CONTRACT = {
  'GET /api/limits': { access: 'session', response: LIMITS },
} as const satisfies Contract
