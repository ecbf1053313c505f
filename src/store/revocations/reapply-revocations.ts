import type { LogEvent } from '../../lib/log-event.ts'
import { Periodic } from '../../lib/periodic.ts'
import { errorText } from '../../lib/text.ts'
import { HOUR_MS } from '../../lib/time.ts'
import type { Suspension } from '../../shared/contract/suspension.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { Store } from '../contracts/store.ts'
import { retryUntilAvailable } from '../retry-until-available.ts'
import { endOf } from './logged-stores.ts'
import type { RevocationEntry, RevocationLog } from './revocation-log.ts'

/** What was applied again, by kind. */
export interface Reapplied {
  readonly keys: number
  readonly organizations: number
  readonly accounts: number
}

/** The actor in the audit log. */
const BY: AuditActor = { name: 'revocation log' }

const PAGE_ENTRIES = 1000

/**
 * Applies what the log says that the store does not: after a backup was restored, keys revoked since are revoked again, shortened expiries
 * shortened, and organizations and accounts suspended or deleted. Nothing is resumed or extended, and nothing undone that was resumed or
 * extended later, perhaps by a node with another log. First completes the log. Idempotent; unknown ids are ignored.
 *
 * `now`: the store's clock, by which the entries of all logs are compared. `onIncomplete` is called if the log cannot be written; without
 * it, that rejects.
 */
export async function reapplyRevocations(
  store: Store,
  log: RevocationLog,
  now: () => number,
  onIncomplete?: (error: unknown) => void,
): Promise<Reapplied> {
  const missing = await missingEntries(store, log.read(), now())
  try {
    log.append(missing)
  } catch (error) {
    if (onIncomplete === undefined) throw error
    onIncomplete(error)
  }
  const entries = log.read()
  const keys = await reapplyKeys(store, entries)
  const last = new Map(entries.filter(({ kind }) => !kind.startsWith('key.')).map((entry) => [entry.id, entry]))
  let [organizations, accounts] = [0, 0]
  for (const entry of last.values()) {
    if (await reapplyToOrganization(store, entry)) organizations++
    if (await reapplyToAccount(store, entry)) accounts++
  }
  return { keys, organizations, accounts }
}

/** Completes the log of a running service once an hour. Start it after `reapplyRevocations()`. */
export function logCompletion(store: Store, log: RevocationLog, onEvent: (event: LogEvent) => void): Periodic {
  return new Periodic((signal) => retryUntilAvailable(() => completeLog(store, log, store.now), { signal }), {
    everyMs: HOUR_MS,
    onError: (error) => onEvent(incompleteLog(error)),
  })
}

/** The log cannot be written, and will be completed within an hour if it can be by then. */
export function incompleteLog(error: unknown): LogEvent {
  return { level: 'error', message: 'revocation log could not be completed', fields: { error: errorText(error) } }
}

/**
 * Adds the ends of keys, suspensions and deletions of a store that the log lacks: there may have been no log, it could not be written, or a
 * process was killed between commit and log.
 */
export async function completeLog(store: Store, log: RevocationLog, now: () => number): Promise<void> {
  log.append(await missingEntries(store, log.read(), now()))
}

async function missingEntries(
  store: Store,
  entries: readonly RevocationEntry[],
  nowMs: number,
): Promise<RevocationEntry[]> {
  const last = new Map(entries.map(({ id, kind }) => [id, kind]))
  const ends = (await store.keys.changedSince(0)).keys.map((key) => endOf(key, nowMs))
  const isMissing = ({ kind, id, ...entry }: RevocationEntry) =>
    !/revoked$|deleted$/.test(last.get(id) ?? '') &&
    last.get(id) !== kind &&
    !('expiresAtMs' in entry && entry.expiresAtMs === null)
  return [...ends, ...(await suspensions(store)), ...(await deletions(store))].filter(isMissing)
}

async function suspensions({ organizations, accounts }: Store): Promise<RevocationEntry[]> {
  const entryOf = (kind: 'organization.suspended' | 'account.suspended', id: string, suspension?: Suspension) =>
    suspension === undefined ? [] : [{ kind, id, atMs: suspension.atMs, reason: suspension.reason }]
  return [
    ...(await organizations.list()).flatMap(({ id, suspension }) => entryOf('organization.suspended', id, suspension)),
    ...(await accounts.listSuspended()).flatMap(({ id, suspension }) => entryOf('account.suspended', id, suspension)),
  ]
}

/** Deleted organizations leave a row, accounts only an entry in the service's audit log. */
async function deletions({ organizations, audit }: Store): Promise<RevocationEntry[]> {
  const entries: RevocationEntry[] = (await organizations.listDeleted()).map((each) => ({
    kind: 'organization.deleted',
    ...each,
  }))
  let beforeId: number | undefined
  for (;;) {
    const page = await audit.list({ organizationId: null, kind: 'account.deleted', beforeId, limit: PAGE_ENTRIES })
    for (const { subject: id, atMs } of page) if (id !== undefined) entries.push({ kind: 'account.deleted', id, atMs })
    if (page.length < PAGE_ENTRIES) return entries
    beforeId = page.at(-1)?.id
  }
}

async function reapplyKeys(store: Store, entries: readonly RevocationEntry[]): Promise<number> {
  const { keys } = await store.keys.changedSince(0)
  const [revoked, expiring] = [
    new Map(entries.flatMap((entry) => (entry.kind === 'key.revoked' ? [[entry.id, entry]] : []))),
    new Map(entries.flatMap((entry) => (entry.kind === 'key.expires' ? [[entry.id, entry]] : []))),
  ]
  let count = 0
  for (const { id, organizationId, revokedAtMs, expiresAtMs: storedMs } of keys) {
    if (revokedAtMs !== undefined) continue
    const revocation = revoked.get(id)
    const expiry = expiring.get(id)
    const expiresAtMs = expiry?.expiresAtMs ?? undefined
    if (revocation !== undefined) {
      const { atMs, reason } = revocation
      await store.keys.revoke(id, { atMs, by: BY, ...(reason !== undefined && { reason }) })
      count++
    } else if (expiry && expiresAtMs !== undefined && (storedMs === undefined || storedMs > expiresAtMs)) {
      if (await isUndone(store, expiry, 'key.edited', organizationId)) continue
      if ((await store.keys.edit({ id, organizationId }, { expiresAtMs }, BY)) !== undefined) count++
    }
  }
  return count
}

async function reapplyToOrganization(store: Store, entry: RevocationEntry): Promise<boolean> {
  const { organizations } = store
  if (entry.kind !== 'organization.deleted' && entry.kind !== 'organization.suspended') return false
  const found = await organizations.find(entry.id)
  if (found?.id !== entry.id) return false
  if (entry.kind === 'organization.suspended')
    return (
      !(await isUndone(store, entry, 'organization.resumed')) &&
      (await organizations.suspend(entry.id, entry.reason, BY)) !== undefined
    )
  return (await organizations.remove(entry.id, BY, 'as operator')) !== undefined
}

/** The owner of an organization of the backup cannot be deleted, and is suspended instead. */
async function reapplyToAccount(store: Store, entry: RevocationEntry): Promise<boolean> {
  const { accounts, memberships } = store
  if (entry.kind !== 'account.deleted' && entry.kind !== 'account.suspended') return false
  if ((await accounts.find(entry.id)) === undefined) return false
  if (entry.kind === 'account.deleted') {
    const { outcome } = await memberships.removeAccount(entry.id, { by: BY, allowNone: true })
    if (outcome === 'deleted') return true
  }
  const reason = 'reason' in entry ? entry.reason : 'Deleted before a backup was restored'
  return !(await isUndone(store, entry, 'account.resumed')) && (await accounts.suspend(entry.id, reason, BY)) === 'done'
}

/**
 * Whether the audit log says that an act was undone after it was logged; a backup from before the act does not. If retention has
 * deleted entries of that time, the store is newer, and contains the act and its reversal.
 */
async function isUndone(
  { audit }: Store,
  { id: subject, atMs }: RevocationEntry,
  kind: 'key.edited' | 'organization.resumed' | 'account.resumed',
  organizationId: string | null = null,
): Promise<boolean> {
  const [oldest] = await audit.after(0, 1)
  if (oldest !== undefined && atMs < oldest.atMs) return true
  const later = await audit.list({ organizationId, kind, subject, fromMs: atMs, limit: PAGE_ENTRIES })
  return later.some(
    ({ actor, detail }) => actor.name !== BY.name && (kind !== 'key.edited' || 'newExpiresAtMs' in detail),
  )
}
