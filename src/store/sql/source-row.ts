import type { Insertable } from 'kysely'
import type { SourceWatch } from '../contracts/source-watch.ts'
import type { NewSource, SourceOverview, SourceState } from '../contracts/sources.ts'
import { TABLES } from '../migrations/baseline-tables.ts'
import { foldedName } from './organization-row.ts'
import type { SourceRow } from './schema.ts'

/** The columns that may be large, and those that only syncs or conditions read. */
const DETAIL_COLUMNS = ['search_text', 'rejecting', 'messages', 'connector_state', 'resource_set', 'sync_id'] as const

type OverviewRow = Omit<SourceRow, (typeof DETAIL_COLUMNS)[number]>

/** The columns of `OverviewRow`. */
export const OVERVIEW_COLUMNS = Object.keys(TABLES.sources.columns).filter(
  (name): name is keyof OverviewRow => !DETAIL_COLUMNS.some((detail) => detail === name),
)

/** The source of a row. */
export function sourceOf(row: SourceRow): SourceState {
  return {
    ...overviewOf(row),
    messages: JSON.parse(row.messages),
    connectorState: row.connector_state === null ? undefined : JSON.parse(row.connector_state),
  }
}

/** The same without messages and connector state. */
export function overviewOf(row: OverviewRow): SourceOverview {
  return {
    id: row.id,
    slug: row.slug,
    ...(row.name !== null && { name: row.name }),
    format: row.format,
    url: row.url,
    options: JSON.parse(row.options),
    strict: row.strict === 1,
    ...(row.every_ms !== null && { everyMs: row.every_ms }),
    ...(row.slots_max !== null && { slotsMax: row.slots_max }),
    createdAtMs: row.created_at_ms,
    nextSyncAtMs: row.next_sync_at_ms,
    failures: row.failures,
    ...(row.last_sync !== null && { lastSync: JSON.parse(row.last_sync) }),
    slotCount: row.slot_count,
    ...(row.last_checked_at_ms !== null && { lastCheckedAtMs: row.last_checked_at_ms }),
    ...(row.published_at_ms !== null && { publishedAtMs: row.published_at_ms }),
    ...(row.changed_at_ms !== null && { changedAtMs: row.changed_at_ms }),
    paused: row.paused === 1,
    watch: watchOf(row),
  }
}

/** The row of a source that was just added. */
export function newRow(id: number, source: NewSource, nowMs: number): Insertable<SourceRow> {
  return {
    id,
    slug: source.slug,
    name: source.name ?? null,
    format: source.format ?? 'smart-links',
    url: source.url,
    search_text: searchText(source),
    options: JSON.stringify(source.options ?? {}),
    strict: source.strict ? 1 : 0,
    every_ms: source.everyMs ?? null,
    slots_max: source.slotsMax ?? null,
    paused: 0,
    created_at_ms: nowMs,
    next_sync_at_ms: 0,
    slow: 0,
    rejecting: 0,
    failures: 0,
    slot_count: 0,
    change_gaps: '[]',
    review_policy: 'extreme',
    next_approved: 0,
    anomalies: '[]',
    approved: '[]',
    health: 'never-synced',
    health_since_ms: nowMs,
    lease_until_ms: 0,
    messages: '[]',
    sync_id: 0,
  }
}

/** The searched columns, with the displayed name first. */
export function searchText({ name, slug, url }: Pick<SourceOverview, 'name' | 'slug' | 'url'>): string {
  return foldedName([...(name === undefined ? [] : [name]), slug, url].join('\n'))
}

function watchOf(row: OverviewRow): SourceWatch {
  return {
    reviewPolicy: row.review_policy,
    nextApproved: row.next_approved === 1,
    ...(row.held_snapshot !== null && { held: JSON.parse(row.held_snapshot) }),
    anomalies: JSON.parse(row.anomalies),
    approved: JSON.parse(row.approved),
    changeGaps: JSON.parse(row.change_gaps),
    ...(row.last_end_ms !== null && { lastEndMs: row.last_end_ms }),
    ...(row.last_read !== null && { lastRead: JSON.parse(row.last_read) }),
    ...(row.lease_owner !== null && { readUntilMs: row.lease_until_ms }),
    health: row.health,
    healthSinceMs: row.health_since_ms,
  }
}
