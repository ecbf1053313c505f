import { isDeepStrictEqual } from 'node:util'
import type { Updateable } from 'kysely'
import type { SourceOptions } from '../../feeds/source-options.ts'
import { defined } from '../../lib/optional.ts'
import type { AnomalyKind, ReviewPolicy, SourceField } from '../../shared/source-vocabulary.ts'
import type { SourceAction } from '../contracts/source-log.ts'
import type { ReviewedSnapshot, SourceEdit, SourceState } from '../contracts/sources.ts'
import { HeldSnapshotChanged } from '../contracts/store.ts'
import type { SourceRow } from './schema.ts'
import { searchText } from './source-row.ts'

/** An operator's action: the changes of the source's row, and the entry of the log. */
export interface SourceUpdate extends Pick<SourceAction, 'kind' | 'fields' | 'reviewPolicy'> {
  readonly changes: Updateable<SourceRow>
}

/** Pausing ends a running sync. Undefined, as in the functions below, if nothing would change. */
export function planPause(before: SourceState, paused: boolean): SourceUpdate | undefined {
  if (before.paused === paused) return undefined
  if (!paused) return { kind: 'resumed', changes: { paused: 0 } }
  return { kind: 'paused', changes: { paused: 1, ...(before.format !== 'files' && REVOKED_LEASE) } }
}

/** Ends a running sync, which would decide by the old policy; imports are never held. */
export function planReviewPolicy({ format, watch }: SourceState, reviewPolicy: ReviewPolicy): SourceUpdate | undefined {
  if (watch.reviewPolicy === reviewPolicy) return undefined
  const changes = { review_policy: reviewPolicy, ...(format !== 'files' && REVOKED_LEASE) }
  return { kind: 'review-policy-set', reviewPolicy, changes }
}

/** Throws `HeldSnapshotChanged` unless the held snapshot is the one that was reviewed. */
export function planApproval(
  { slug, watch }: SourceState,
  reviewed: ReviewedSnapshot | undefined,
  nowMs: number,
): SourceUpdate | undefined {
  if (reviewed !== undefined && reviewed.heldSinceMs !== watch.held?.sinceMs)
    throw new HeldSnapshotChanged(
      `Cannot approve the held snapshot of ${slug}: it is no longer the one that was reviewed`,
    )
  if (watch.held !== undefined) {
    return { kind: 'approved', changes: { next_approved: 1, next_sync_at_ms: nowMs } }
  }
  const approved = new Set([...watch.approved, ...watch.anomalies.map(({ kind }) => kind), ...TIME_ANOMALIES])
  if (approved.size === watch.approved.length) return undefined
  return { kind: 'approved', changes: { approved: JSON.stringify([...approved]) } }
}

/** Withdraws an approval that was not used yet, also by a running sync, which ends. */
export function planWithdrawal({ watch }: SourceState): SourceUpdate | undefined {
  if (!watch.nextApproved) return undefined
  return { kind: 'approval-withdrawn', changes: { next_approved: 0, ...REVOKED_LEASE } }
}

/**
 * Every change but a new name makes the source due now and revokes the lease: a running sync knows the old address and would
 * restore the old connector state. The next sync drops what it wrote. If the source is read differently from now on, the
 * connector state, a held snapshot and its approval are dropped too; only the served snapshot stays.
 */
export function planEdit(before: SourceState, edit: SourceEdit, nowMs: number): SourceUpdate | undefined {
  const fields = editedFields(before, edit)
  if (fields.length === 0) return undefined
  const isReadDifferently = fields.some((field) => !NOT_READ.has(field))
  const isDue = before.format !== 'files' && fields.some((field) => field !== 'name')
  const changes = {
    search_text: searchText({
      slug: before.slug,
      url: edit.url ?? before.url,
      ...defined({ name: nameAfter(before, edit) }),
    }),
    ...defined({ name: edit.name, url: edit.url, every_ms: edit.everyMs, slots_max: edit.slotsMax }),
    ...(edit.options !== undefined && { options: JSON.stringify(edit.options) }),
    ...(edit.strict !== undefined && { strict: edit.strict ? 1 : 0 }),
    ...(isReadDifferently && { connector_state: null, held_snapshot: null, next_approved: 0 }),
    ...(isDue && { next_sync_at_ms: nowMs, ...REVOKED_LEASE }),
  }
  return { kind: 'edited', fields, changes }
}

function nameAfter({ name }: SourceState, edit: SourceEdit): string | undefined {
  return edit.name === undefined ? name : (edit.name ?? undefined)
}

/** A running sync finds its lease gone, and ends. */
const REVOKED_LEASE = { lease_owner: null, lease_until_ms: 0 }

/** Fields that do not change how a feed is read. */
const NOT_READ: ReadonlySet<SourceField> = new Set(['name', 'everyMinutes', 'slotsMax'])

/** Anomalies that arise with time, without another sync; the next good sync drops the approvals that do not apply. */
const TIME_ANOMALIES: readonly AnomalyKind[] = ['ended', 'clock-old']

function editedFields(before: SourceState, edit: SourceEdit): SourceField[] {
  const isOther = (was: unknown, is: unknown) => is !== undefined && (is ?? undefined) !== was
  const fields: readonly (SourceField | false)[] = [
    isOther(before.name, edit.name) && 'name',
    isOther(before.url, edit.url) && 'url',
    ...(edit.options === undefined ? [] : editedOptions(before.options, edit.options)),
    isOther(before.strict, edit.strict) && 'strict',
    isOther(before.everyMs, edit.everyMs) && 'everyMinutes',
    isOther(before.slotsMax, edit.slotsMax) && 'slotsMax',
  ]
  return fields.filter((field) => field !== false)
}

function editedOptions(before: SourceOptions, after: SourceOptions): (keyof SourceOptions)[] {
  const names = Object.keys({ ...before, ...after }) as (keyof SourceOptions)[]
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name])).sort()
}
