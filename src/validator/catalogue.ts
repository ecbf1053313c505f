import type { RuleHead } from './rule.ts'
import {
  DANGLING,
  PEOPLE_RULES,
  RESOURCE_UNUSED,
  SCHEDULE_RULES,
  SCHEDULE_UNUSED,
  SCHEDULE_WITHOUT_LOCATION,
} from './rules/directory-rules.ts'
import { EXTENSION_RULES } from './rules/extension-rules.ts'
import { FEED_RULES, FILE_MISSING, IDS_FULL, NO_SCHEDULES, NO_TARGETS } from './rules/feed-rules.ts'
import { FILE_RULES, LINE_RULES, LISTED_RULES, NOT_JSON } from './rules/file-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'
import { LOCATION_RULES } from './rules/location-rules.ts'
import { ENTRY_RULES, MANIFEST_RULES, MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'
import {
  PUBLISHED_TWICE,
  REJECTED,
  REPEATED,
  RESOURCE_RULES,
  TYPE_NOT_LISTED,
  WRONG_TYPE,
} from './rules/resource-rules.ts'
import { SERVED_RULES, SLOT_ID_REPEATED, SLOT_RULES, SLOT_TWICE } from './rules/slot-rules.ts'

/** A group of rules, under its heading in the documentation. */
export interface Topic {
  readonly heading: string
  readonly rules: readonly RuleHead[]
}

/** All rules by topic, in the order of the documentation. */
export const TOPICS: readonly Topic[] = [
  { heading: 'Manifest', rules: [MANIFEST_UNREADABLE, ...MANIFEST_RULES, ...ENTRY_RULES, ...LISTED_RULES] },
  { heading: 'HTTP', rules: [FILE_UNREADABLE, ...HTTP_RULES] },
  { heading: 'NDJSON', rules: [NOT_JSON, ...LINE_RULES, ...FILE_RULES] },
  {
    heading: 'Every resource',
    rules: [REJECTED, WRONG_TYPE, TYPE_NOT_LISTED, PUBLISHED_TWICE, REPEATED, ...RESOURCE_RULES],
  },
  { heading: 'Slots', rules: [...SLOT_RULES, SLOT_TWICE, SLOT_ID_REPEATED, ...SERVED_RULES] },
  { heading: 'Extensions', rules: EXTENSION_RULES },
  {
    heading: 'Schedules',
    rules: [...SCHEDULE_RULES, DANGLING, SCHEDULE_WITHOUT_LOCATION, SCHEDULE_UNUSED, RESOURCE_UNUSED],
  },
  { heading: 'Locations', rules: LOCATION_RULES },
  { heading: 'People and services', rules: PEOPLE_RULES },
  {
    heading: 'The feed as a whole',
    rules: [...FEED_RULES, IDS_FULL, FILE_MISSING, NO_SCHEDULES, NO_TARGETS],
  },
]

const DOCS_OF = new Map(
  TOPICS.flatMap(({ heading, rules }) =>
    rules.map(({ id }) => [id, `checking-a-feed.md#${heading.toLowerCase().replaceAll(' ', '-')}`] as const),
  ),
)

/** The page and heading below `docs/` that explain a rule. */
export function docsOf(id: string): string {
  return DOCS_OF.get(id) ?? 'checking-a-feed.md'
}
