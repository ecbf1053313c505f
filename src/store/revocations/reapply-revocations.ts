import type { AuditActor } from '../contracts/audit.ts'
import type { Store } from '../contracts/store.ts'
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

/**
 * Applies what the log says that the store does not: after a backup was restored, keys revoked since are revoked again, shortened expiries
 * shortened, and organizations and accounts suspended or deleted. Nothing is resumed or extended. First adds the ends of keys and the
 * suspensions of organizations that the log lacks: there may have been no log, or a process was killed between commit and log. Idempotent;
 * unknown ids are ignored.
 */
export async function reapplyRevocations(store: Store, log: RevocationLog, now: () => number): Promise<Reapplied> {
  log.append(await missingEntries(store, log.read(), now()))
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

async function missingEntries(
  { keys, organizations }: Store,
  entries: readonly RevocationEntry[],
  nowMs: number,
): Promise<RevocationEntry[]> {
  const last = new Map(entries.map((entry) => [entry.id, entry.kind]))
  const ends = (await keys.changedSince(0)).keys.map((key) => endOf(key, nowMs))
  const suspensions = (await organizations.list()).flatMap(({ id, suspension }): RevocationEntry[] =>
    suspension === undefined
      ? []
      : [{ kind: 'organization.suspended', id, atMs: suspension.atMs, reason: suspension.reason }],
  )
  const isMissing = ({ kind, id, ...entry }: RevocationEntry) =>
    last.get(id) !== 'key.revoked' && last.get(id) !== kind && !('expiresAtMs' in entry && entry.expiresAtMs === null)
  return [...ends, ...suspensions].filter(isMissing)
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
    const expiresAtMs = expiring.get(id)?.expiresAtMs ?? undefined
    if (revocation !== undefined) {
      const { atMs, reason } = revocation
      await store.keys.revoke(id, { atMs, by: BY, ...(reason !== undefined && { reason }) })
      count++
    } else if (expiresAtMs !== undefined && (storedMs === undefined || storedMs > expiresAtMs)) {
      if ((await store.keys.edit({ id, organizationId }, { expiresAtMs }, BY)) !== undefined) count++
    }
  }
  return count
}

async function reapplyToOrganization({ organizations }: Store, entry: RevocationEntry): Promise<boolean> {
  if (entry.kind !== 'organization.deleted' && entry.kind !== 'organization.suspended') return false
  const found = await organizations.find(entry.id)
  if (found?.id !== entry.id) return false
  if (entry.kind === 'organization.suspended')
    return (await organizations.suspend(entry.id, entry.reason, BY)) !== undefined
  return (await organizations.remove(entry.id, BY, 'as operator')) !== undefined
}

/** The owner of an organization of the backup cannot be deleted, and is suspended instead. */
async function reapplyToAccount({ accounts, memberships }: Store, entry: RevocationEntry): Promise<boolean> {
  if (entry.kind !== 'account.deleted' && entry.kind !== 'account.suspended') return false
  if ((await accounts.find(entry.id)) === undefined) return false
  if (entry.kind === 'account.suspended') return (await accounts.suspend(entry.id, entry.reason, BY)) === 'done'
  const { outcome } = await memberships.removeAccount(entry.id, { by: BY, allowNone: true })
  if (outcome === 'deleted') return true
  return (await accounts.suspend(entry.id, 'Deleted before a backup was restored', BY)) === 'done'
}
