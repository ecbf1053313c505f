import { defined } from '../../../lib/optional.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { LIMITS_CONTRACT } from '../../../shared/contract/limits.ts'
import { SLOTS_PER_PAGE_MAX } from '../../../slot/slot-query.ts'
import { MEMBERSHIPS_MAX } from '../../../store/contracts/organizations.ts'
import { slotsOfOneSource } from '../../../sync/slot-limit.ts'
import { TARGET_LENGTH_MAX } from '../../dispatcher.ts'
import { FAIR_LIMITS } from '../../fair-queue.ts'
import { CHANGES_PER_PAGE_MAX } from '../../v1/list-changes/list-changes.ts'
import { OPEN_INVITATIONS_MAX } from '../invitations/invitations.ts'
import { ACTIVE_KEYS_MAX } from '../keys/keys.ts'
import { OWNED_MAX } from '../organizations/organizations.ts'
import { implement } from '../route.ts'

export const limitRoutes = implement(LIMITS_CONTRACT, {
  'GET /api/limits': async ({ context: { configured } }) => ({
    rates: { ...configured.rateLimits },
    ...defined({ openFeedUrl: configured.openFeedUrl }),
    requests: {
      slotsPerPage: SLOTS_PER_PAGE_MAX,
      changesPerPage: CHANGES_PER_PAGE_MAX,
      targetCharacters: TARGET_LENGTH_MAX,
      waitingPerKey: FAIR_LIMITS.waitingPerKeyMax,
      waitingPerOrganization: FAIR_LIMITS.waitingPerOrganizationMax,
    },
    organization: { activeKeys: ACTIVE_KEYS_MAX, openInvitations: OPEN_INVITATIONS_MAX },
    account: {
      ownedOrganizations: OWNED_MAX,
      organizations: MEMBERSHIPS_MAX,
      changesPerHour: configured.changesPerHourMax,
    },
    slots: {
      all: configured.slotsMax,
      perSource: slotsOfOneSource(configured.slotsMax),
      uploadBytes: configured.uploadBytesMax,
    },
    retention: {
      usageDays: Math.floor(configured.retentionMs / DAY_MS),
      logDays: configured.requestLog.retentionMs / DAY_MS,
      logEntries: configured.requestLog.entriesMax,
      ...defined({
        auditDays: configured.auditRetentionMs === undefined ? undefined : configured.auditRetentionMs / DAY_MS,
        auditEntries: configured.auditEntriesMax,
      }),
    },
  }),
})
