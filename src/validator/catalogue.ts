import type { RuleHead } from './rule.ts'
import { BULK_PUBLISH_RULES, FORMAT_RULES, NOTED_PAGE_RULES } from './rules/bulk-publish-rules.ts'
import { CONTENT_RULES } from './rules/content-rules.ts'
import { NOTED_DIRECTORY_RULES, PEOPLE_RULES, SCHEDULE_RULES } from './rules/directory-rules.ts'
import { ENTRY_RULES } from './rules/entry-rules.ts'
import { EXTENSION_RULES } from './rules/extension-rules.ts'
import { FEED_RULES, NOTED_FEED_RULES } from './rules/feed-rules.ts'
import { FILE_RULES, LINE_RULES, LISTED_RULES, NOT_JSON, SIZE_RULES } from './rules/file-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'
import { LOCATION_RULES } from './rules/location-rules.ts'
import { MANIFEST_RULES, MANIFEST_UNREADABLE, PUBLICATION_RULES } from './rules/manifest-rules.ts'
import { NOTED_RESOURCE_RULES, RESOURCE_RULES } from './rules/resource-rules.ts'
import { SERVED_RULES } from './rules/served-rules.ts'
import {
  DIRECTORY_ENTRY_RULES,
  DIRECTORY_MANIFEST_RULES,
  DIRECTORY_RESOURCE_RULES,
  PROBE_RULES,
} from './rules/slot-directory-rules.ts'
import { NOTED_SLOT_RULES, SLOT_RULES } from './rules/slot-rules.ts'

/** A group of rules, under its heading in the documentation. */
interface Topic {
  readonly heading: string
  readonly rules: readonly RuleHead[]
}

/** All rules by topic, in the order of the documentation. */
export const TOPICS: readonly Topic[] = [
  {
    heading: 'Manifest',
    rules: [
      MANIFEST_UNREADABLE,
      ...MANIFEST_RULES,
      ...PUBLICATION_RULES,
      ...FORMAT_RULES,
      ...ENTRY_RULES,
      ...SIZE_RULES,
      ...LISTED_RULES,
    ],
  },
  { heading: 'Pages and updates', rules: [...BULK_PUBLISH_RULES, ...Object.values(NOTED_PAGE_RULES)] },
  { heading: 'HTTP', rules: [FILE_UNREADABLE, ...HTTP_RULES] },
  { heading: 'NDJSON', rules: [NOT_JSON, ...LINE_RULES, ...FILE_RULES] },
  { heading: 'Every resource', rules: [...Object.values(NOTED_RESOURCE_RULES), ...RESOURCE_RULES, ...CONTENT_RULES] },
  { heading: 'Slots', rules: [...SLOT_RULES, ...Object.values(NOTED_SLOT_RULES), ...SERVED_RULES] },
  { heading: 'Extensions', rules: EXTENSION_RULES },
  { heading: 'Schedules', rules: [...SCHEDULE_RULES, ...Object.values(NOTED_DIRECTORY_RULES)] },
  { heading: 'Locations', rules: LOCATION_RULES },
  { heading: 'People and services', rules: PEOPLE_RULES },
  { heading: 'The feed as a whole', rules: [...FEED_RULES, ...Object.values(NOTED_FEED_RULES)] },
  {
    heading: 'Slot Directory',
    rules: [...DIRECTORY_MANIFEST_RULES, ...DIRECTORY_ENTRY_RULES, ...DIRECTORY_RESOURCE_RULES, ...PROBE_RULES],
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
