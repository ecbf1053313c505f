import type { Profile } from '../../shared/conformance-labels.ts'
import { BULK_PUBLISH_STATEMENTS } from './bulk-publish-statements.ts'
import { COMMUNITY_CHECKS } from './community-checks.ts'
import { GUIDE_STATEMENTS } from './guide-statements.ts'
import type { ConformanceStatement } from './statement.ts'

/** The statements of each profile, in the order of a report. */
export const STATEMENTS: Readonly<Record<Profile, readonly ConformanceStatement[]>> = {
  'slot-directory': [...COMMUNITY_CHECKS, ...BULK_PUBLISH_STATEMENTS, ...GUIDE_STATEMENTS],
}
