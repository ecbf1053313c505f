import { AUDIT_CONTRACT } from './audit.ts'
import { EXPLORE_CONTRACT } from './explore.ts'
import { FEED_CHECK_CONTRACT } from './feed-checks.ts'
import { IMPORT_CONTRACT } from './imports.ts'
import { INVITATION_CONTRACT } from './invitations.ts'
import { KEY_CONTRACT } from './keys.ts'
import { ME_CONTRACT } from './me.ts'
import { OPERATOR_CONTRACT } from './operator.ts'
import { ORGANIZATION_CONTRACT } from './organizations.ts'
import { SOURCE_CONTRACT } from './sources.ts'
import { USAGE_CONTRACT } from './usage.ts'

/** Every operation of the dashboard API, except better-auth's below `/api/auth`. The server and its client are typed by it. */
export const DASHBOARD_CONTRACT = {
  ...ME_CONTRACT,
  ...ORGANIZATION_CONTRACT,
  ...INVITATION_CONTRACT,
  ...KEY_CONTRACT,
  ...USAGE_CONTRACT,
  ...AUDIT_CONTRACT,
  ...EXPLORE_CONTRACT,
  ...SOURCE_CONTRACT,
  ...IMPORT_CONTRACT,
  ...FEED_CHECK_CONTRACT,
  ...OPERATOR_CONTRACT,
}
export type DashboardContract = typeof DASHBOARD_CONTRACT
