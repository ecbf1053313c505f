import { isDeepStrictEqual } from 'node:util'
import type { Updateable } from 'kysely'
import type { SourceOptions } from '../../feeds/source-options.ts'
import type { SourceAction, SourceField } from '../contracts/source-log.ts'
import type { ReviewedSnapshot, SourceEdit, SourceState } from '../contracts/source-store.ts'
import type { AnomalyKind, ReviewPolicy } from '../contracts/source-watch.ts'
import { HeldSnapshotChanged } from '../contracts/store.ts'
import type { SourcesTable } from './schema.ts'

/** What an operator's action changes of a source's row, and what the log is to say. */
export interface Plan extends Pick<SourceAction, 'kind' | 'fields' | 'reviewPolicy'> {
  readonly changes: Updateable<SourcesTable>
}

/** Undefined, as below, if it is so already. */
export function planPause(before: SourceState, paused: boolean): Plan | undefined {
  if (before.paused === paused) return undefined
  return { kind: paused ? 'paused' : 'resumed', changes: { paused: paused ? 1 : 0 } }
}

/** Chooses what is held. */
export function planHold({ watch }: SourceState, hold: ReviewPolicy): Plan | undefined {
  return watch.reviewPolicy === hold
    ? undefined
    : { kind: 'hold-chosen', reviewPolicy: hold, changes: { hold } }
}

/** The operator's yes. Throws `HeldSnapshotChanged` if it is to something else than what is held by now. */
export function planAccept(
  { slug, watch }: SourceState,
  seen: ReviewedSnapshot | undefined,
  nowMs: number,
): Plan {
  const heldSinceMs = watch.held?.sinceMs
  if (seen !== undefined && seen.heldSinceMs !== heldSinceMs)
    throw new HeldSnapshotChanged(
      `Cannot accept what is held of ${slug}: it must be what was looked at: got "another"`,
    )
  if (watch.held !== undefined) {
    return { kind: 'accepted', changes: { accept_next: 1, next_sync_at_ms: nowMs } }
  }
  const accepted = [
    ...new Set([...watch.approved, ...watch.anomalies.map(({ kind: what }) => what), ...OF_TIME]),
  ]
  return { kind: 'accepted', changes: { accepted: JSON.stringify(accepted) } }
}

/** The end of a yes that was not used yet. */
export function planWithdrawal({ watch }: SourceState): Plan | undefined {
  return watch.nextApproved ? { kind: 'accept-withdrawn', changes: { accept_next: 0 } } : undefined
}

/**
 * What a source is from now on. All but a new name has it read at once, and takes the lease from who reads it now: they know the
 * old address and interval, and would bring the old memory back. What they had written aside is dropped as that of any sync
 * that was interrupted. Where it is to be read otherwise, nothing of the reading before is left but the snapshot itself: no memory, and
 * neither a snapshot that is held nor the yes to it, which were of another address.
 */
export function planEdit(before: SourceState, edit: SourceEdit, nowMs: number): Plan | undefined {
  const fields = fieldsOf(before, edit)
  if (fields.length === 0) return undefined
  const isReadAnew = fields.some((field) => field !== 'name' && field !== 'everyMinutes')
  const isDue = before.format !== 'files' && fields.some((field) => field !== 'name')
  const changes = {
    ...(edit.name !== undefined && { name: edit.name }),
    ...(edit.url !== undefined && { url: edit.url }),
    ...(edit.options !== undefined && { options: JSON.stringify(edit.options) }),
    ...(edit.strict !== undefined && { strict: edit.strict ? 1 : 0 }),
    ...(edit.everyMs !== undefined && { every_ms: edit.everyMs }),
    ...(isReadAnew && { memory: null, held: null, accept_next: 0 }),
    ...(isDue && { next_sync_at_ms: nowMs, lease_owner: null, lease_until_ms: 0 }),
  }
  return { kind: 'edited', fields, changes }
}

/** What a snapshot comes to without being read again: the next good sync drops those that were not meant. */
const OF_TIME: readonly AnomalyKind[] = ['ended', 'clock-old']

/** Those that the edit makes another. */
function fieldsOf(before: SourceState, edit: SourceEdit): SourceField[] {
  const isOther = (was: unknown, is: unknown) => is !== undefined && (is ?? undefined) !== was
  const fields: readonly (SourceField | false)[] = [
    isOther(before.name, edit.name) && 'name',
    isOther(before.url, edit.url) && 'url',
    ...(edit.options === undefined ? [] : otherOptions(before.options, edit.options)),
    isOther(before.strict, edit.strict) && 'strict',
    isOther(before.everyMs, edit.everyMs) && 'everyMinutes',
  ]
  return fields.filter((field) => field !== false)
}

function otherOptions(before: SourceOptions, after: SourceOptions): (keyof SourceOptions)[] {
  const names = Object.keys({ ...before, ...after }) as (keyof SourceOptions)[]
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name])).sort()
}
