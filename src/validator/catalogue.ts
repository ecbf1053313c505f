import type { RuleHead } from './rule.ts'
import { CONTENT_RULES } from './rules/content-rules.ts'
import {
  DANGLING,
  PEOPLE_RULES,
  RESOURCE_UNUSED,
  SCHEDULE_RULES,
  SCHEDULE_UNUSED,
  SCHEDULE_WITHOUT_PLACE,
} from './rules/directory-rules.ts'
import { EXTENSION_RULES } from './rules/extension-rules.ts'
import { FEED_RULES, FILE_MISSING, IDS_FULL, NO_SCHEDULES, NO_TARGETS } from './rules/feed-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'
import { LISTED_RULES } from './rules/listed-rules.ts'
import { LOCATION_RULES } from './rules/location-rules.ts'
import { ENTRY_RULES, MANIFEST_RULES, MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'
import { FILE_RULES, LINE_RULES, NOT_JSON } from './rules/ndjson-rules.ts'
import {
  ELSEWHERE,
  PUBLISHED_TWICE,
  REJECTED,
  REPEATED,
  RESOURCE_RULES,
  WRONG_TYPE,
} from './rules/resource-rules.ts'
import { SERVED_RULES, SLOT_ID_REPEATED, SLOT_RULES, SLOT_TWICE } from './rules/slot-rules.ts'

/** What a group of rules is about, under the heading that the documentation has for it. */
export interface Topic {
  readonly heading: string
  readonly rules: readonly RuleHead[]
}

/** Every rule there is, by topic, in the order of the documentation. */
export const TOPICS: readonly Topic[] = [
  { heading: 'Manifest', rules: [MANIFEST_UNREADABLE, ...MANIFEST_RULES, ...ENTRY_RULES, ...LISTED_RULES] },
  { heading: 'HTTP', rules: [FILE_UNREADABLE, ...HTTP_RULES] },
  { heading: 'NDJSON', rules: [NOT_JSON, ...LINE_RULES, ...FILE_RULES] },
  {
    heading: 'Every resource',
    rules: [REJECTED, WRONG_TYPE, ELSEWHERE, PUBLISHED_TWICE, REPEATED, ...RESOURCE_RULES, ...CONTENT_RULES],
  },
  { heading: 'Slots', rules: [...SLOT_RULES, SLOT_TWICE, SLOT_ID_REPEATED, ...SERVED_RULES] },
  { heading: 'Extensions', rules: EXTENSION_RULES },
  {
    heading: 'Schedules',
    rules: [...SCHEDULE_RULES, DANGLING, SCHEDULE_WITHOUT_PLACE, SCHEDULE_UNUSED, RESOURCE_UNUSED],
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

/** The page and heading of the documentation that explains a rule, below `docs/`. */
export function docsOf(id: string): string {
  return DOCS_OF.get(id) ?? 'checking-a-feed.md'
}
