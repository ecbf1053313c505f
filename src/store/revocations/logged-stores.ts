import type { ApiKey } from '../../keys/key.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { RotatedKey } from '../contracts/keys.ts'
import type { OperatorChange } from '../contracts/operators.ts'
import type { AccountRemoval } from '../contracts/organizations.ts'
import { SqlAccountStore } from '../sql/account-store.ts'
import type { Database } from '../sql/database.ts'
import { SqlKeyStore } from '../sql/keys.ts'
import { SqlMembershipStore } from '../sql/memberships.ts'
import { SqlOrganizationStore } from '../sql/organizations.ts'
import type { RevocationEntry, RevocationLog } from './revocation-log.ts'

/** The parts of the store whose acts a restored backup must not undo: they are in the log before they are confirmed. */
export function loggedStores(database: Database, now: () => number, log: RevocationLog) {
  return {
    keys: new LoggedKeys(database, now, log),
    organizations: new LoggedOrganizations(database, now, log),
    accounts: new LoggedAccounts(database, now, log),
    memberships: new LoggedMemberships(database, now, log),
  }
}

class LoggedKeys extends SqlKeyStore {
  readonly #log: RevocationLog

  constructor(database: Database, now: () => number, log: RevocationLog) {
    super(database, now)
    this.#log = log
  }

  override async revoke(...given: Parameters<SqlKeyStore['revoke']>): Promise<ApiKey | undefined> {
    const key = await super.revoke(...given)
    // Also if it was revoked before: logging it may have failed then.
    if (key !== undefined) this.#log.append(revocationsOf([key]))
    return key
  }

  override async rotate(...given: Parameters<SqlKeyStore['rotate']>): Promise<RotatedKey | undefined> {
    // Nobody would be shown the new key otherwise, while the old one ends.
    this.#log.requireWritable()
    const rotated = await super.rotate(...given)
    if (rotated !== undefined) this.#log.append([endOf(rotated.old, this.now())])
    return rotated
  }

  override async edit(...given: Parameters<SqlKeyStore['edit']>): Promise<ApiKey | undefined> {
    const key = await super.edit(...given)
    if (key !== undefined && given[1].expiresAtMs !== undefined) this.#log.append([endOf(key, this.now())])
    return key
  }
}

class LoggedOrganizations extends SqlOrganizationStore {
  readonly #log: RevocationLog

  constructor(database: Database, now: () => number, log: RevocationLog) {
    super(database, now)
    this.#log = log
  }

  override async remove(...given: Parameters<SqlOrganizationStore['remove']>): Promise<ApiKey[] | undefined> {
    const keys = await super.remove(...given)
    const deleted = { kind: 'organization.deleted', id: given[0], atMs: this.now() } as const
    if (keys !== undefined) this.#log.append([deleted, ...revocationsOf(keys)])
    return keys
  }

  override async suspend(id: string, reason: string, by: AuditActor): Promise<ApiKey[] | undefined> {
    const keys = await super.suspend(id, reason, by)
    if (keys !== undefined) this.#log.append([{ kind: 'organization.suspended', id, atMs: this.now(), reason }])
    return keys
  }

  override async resume(id: string, by: AuditActor): Promise<ApiKey[] | undefined> {
    const keys = await super.resume(id, by)
    if (keys !== undefined) this.#log.append([{ kind: 'organization.resumed', id, atMs: this.now() }])
    return keys
  }
}

class LoggedAccounts extends SqlAccountStore {
  readonly #log: RevocationLog

  constructor(database: Database, now: () => number, log: RevocationLog) {
    super(database, now)
    this.#log = log
  }

  override async suspend(id: string, reason: string, by: AuditActor): ReturnType<SqlAccountStore['suspend']> {
    const outcome = await super.suspend(id, reason, by)
    if (outcome === 'done') this.#log.append([{ kind: 'account.suspended', id, atMs: this.now(), reason }])
    return outcome
  }

  override async resume(id: string, by: AuditActor): Promise<boolean> {
    const isResumed = await super.resume(id, by)
    if (isResumed) this.#log.append([{ kind: 'account.resumed', id, atMs: this.now() }])
    return isResumed
  }
}

class LoggedMemberships extends SqlMembershipStore {
  readonly #log: RevocationLog

  constructor(database: Database, now: () => number, log: RevocationLog) {
    super(database, now)
    this.#log = log
  }

  override async removeAccount(id: string, change: OperatorChange): Promise<AccountRemoval> {
    const removal = await super.removeAccount(id, change)
    if (removal.outcome === 'deleted') this.#log.append([{ kind: 'account.deleted', id, atMs: this.now() }])
    return removal
  }
}

/** The entries of the keys that are revoked. */
function revocationsOf(keys: readonly ApiKey[]): RevocationEntry[] {
  return keys.flatMap(({ id, revokedAtMs: atMs, revokedReason: reason }) =>
    atMs === undefined ? [] : [{ kind: 'key.revoked', id, atMs, ...(reason !== undefined && { reason }) }],
  )
}

/** The entry of a key that is revoked, or of its expiry. */
export function endOf(key: ApiKey, atMs: number): RevocationEntry {
  return revocationsOf([key])[0] ?? { kind: 'key.expires', id: key.id, atMs, expiresAtMs: key.expiresAtMs ?? null }
}
