import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ApiKey } from '../../keys/key.ts'
import type { Suspension } from '../../shared/contract/suspension.ts'
import type { AuditActor, ServiceEvent } from '../contracts/audit.ts'
import type { Organization, OrganizationStore } from '../contracts/organizations.ts'
import { NameTaken } from '../contracts/store.ts'
import { writeAudit, writeServiceAudit } from './audit.ts'
import { advance } from './counters.ts'
import { announceKeys, revokeAllKeys } from './keys.ts'
import { requirePermission } from './memberships.ts'
import {
  findOrganization,
  foldedName,
  organizationOf,
  requireOwnedBelow,
  suspensionColumns,
} from './organization-row.ts'
import type { OrganizationRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'
import { announceSubscriptions, removeSubscriptions } from './subscription-status.ts'

/** `OrganizationStore` over any database. */
export class SqlOrganizationStore extends SqlStore implements OrganizationStore {
  create(name: string, by?: AuditActor, ownedMax?: number): Promise<Organization> {
    const row = {
      id: `org_${randomBytes(10).toString('hex')}`,
      name,
      name_folded: foldedName(name),
      created_at_ms: this.now(),
    }
    return this.database.transaction('power-cut', async ({ queries }) => {
      if (by?.userId !== undefined && ownedMax !== undefined) await requireOwnedBelow(queries, by.userId, ownedMax)
      const created = await queries
        .insertInto('organizations')
        .values(row)
        .onConflict((conflict) => conflict.column('name_folded').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (created === undefined) throw nameTaken('create', name)
      if (by !== undefined) await found(queries, row, by)
      return organizationOf(row)
    })
  }

  rename(id: string, name: string, by: AuditActor): Promise<Organization | undefined> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const before = await findOrganization(queries, id)
      if (before === undefined) return undefined
      await requirePermission(queries, id, by, 'organization.rename')
      if (await isTaken(queries, name, id)) throw nameTaken('rename', name)
      await queries
        .updateTable('organizations')
        .set({ name, name_folded: foldedName(name) })
        .where('id', '=', id)
        .execute()
      const detail = { from: before.name, to: name }
      await writeAudit(queries, {
        atMs: this.now(),
        organizationId: id,
        kind: 'organization.renamed',
        by,
        detail,
      })
      return { ...before, name }
    })
  }

  setSecondFactor(id: string, required: boolean, by: AuditActor): Promise<Organization | undefined> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const before = await findOrganization(queries, id)
      if (before === undefined) return undefined
      await requirePermission(queries, id, by, 'organization.require-second-factor')
      if ((before.requiresSecondFactor ?? false) === required) return before
      const changed = { second_factor: required ? 1 : null }
      await queries.updateTable('organizations').set(changed).where('id', '=', id).execute()
      const kind = required ? 'organization.second-factor-required' : 'organization.second-factor-optional'
      await writeAudit(queries, { atMs: this.now(), organizationId: id, kind, by })
      return findOrganization(queries, id)
    })
  }

  remove(id: string, by: AuditActor, asOperator?: 'as operator'): Promise<ApiKey[] | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const organization = await findOrganization(queries, id)
      if (organization === undefined) return undefined
      if (asOperator === undefined) await requirePermission(queries, id, by, 'organization.delete')
      await hide(queries, id, nowMs)
      await queries.deleteFrom('memberships').where('organization_id', '=', id).execute()
      await endInvitations(queries, id, nowMs)
      await removeSubscriptions(queries, id, nowMs)
      const entry = { atMs: nowMs, organizationId: id, kind: 'organization.deleted', by } as const
      const detail = { name: organization.name }
      if (asOperator === undefined) await writeAudit(queries, { ...entry, detail })
      else await writeServiceAudit(queries, { ...entry, detail })
      return revokeAllKeys(queries, id, nowMs)
    })
  }

  suspend(id: string, reason: string, by: AuditActor): Promise<ApiKey[] | undefined> {
    const suspension = { atMs: this.now(), by: by.name, reason }
    return this.#setSuspension(id, suspension, { kind: 'organization.suspended', by })
  }

  resume(id: string, by: AuditActor): Promise<ApiKey[] | undefined> {
    return this.#setSuspension(id, undefined, { kind: 'organization.resumed', by })
  }

  /** Undefined, and nothing done, if there is no such organization, or if it has the state. */
  #setSuspension(
    id: string,
    suspension: Suspension | undefined,
    event: Pick<ServiceEvent, 'kind' | 'by'>,
  ): Promise<ApiKey[] | undefined> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const organization = await findOrganization(queries, id)
      if (organization === undefined) return undefined
      if ((organization.suspension === undefined) === (suspension === undefined)) return undefined
      const revision = await advance(queries, 'keys')
      const changed = { ...suspensionColumns(suspension), suspension_revision: revision }
      await queries.updateTable('organizations').set(changed).where('id', '=', id).execute()
      const detail = { name: organization.name, ...(suspension && { reason: suspension.reason }) }
      await writeServiceAudit(queries, { ...event, atMs: this.now(), organizationId: id, detail })
      await announceSubscriptions(queries, id, { suspended: suspension !== undefined, nowMs: this.now() })
      return announceKeys(queries, id, revision)
    })
  }

  async list(): Promise<Organization[]> {
    const rows = await this.queries
      .selectFrom('organizations')
      .selectAll()
      .where('deleted_at_ms', 'is', null)
      .orderBy('name_folded')
      .execute()
    return rows.map(organizationOf)
  }

  async listDeleted(): Promise<{ id: string; atMs: number }[]> {
    const rows = await this.queries
      .selectFrom('organizations')
      .select(['id', 'deleted_at_ms'])
      .where('deleted_at_ms', 'is not', null)
      .$narrowType<{ deleted_at_ms: number }>()
      .execute()
    return rows.map(({ id, deleted_at_ms: atMs }) => ({ id, atMs }))
  }

  async find(idOrName: string): Promise<Organization | undefined> {
    const rows = await this.queries
      .selectFrom('organizations')
      .selectAll()
      .where('deleted_at_ms', 'is', null)
      .where((expression) =>
        expression.or([expression('id', '=', idOrName), expression('name_folded', '=', foldedName(idOrName))]),
      )
      .execute()
    const row = rows.find((row) => row.id === idOrName) ?? rows[0]
    return row === undefined ? undefined : organizationOf(row)
  }
}

function nameTaken(verb: string, name: string): NameTaken {
  return new NameTaken(`Cannot ${verb} organization: its name must be unused: got "${name}"`)
}

/** True if another organization has the name: an organization may respell its own. */
async function isTaken(queries: Kysely<Schema>, name: string, exceptId: string): Promise<boolean> {
  const holder = await queries
    .selectFrom('organizations')
    .select('id')
    .where('name_folded', '=', foldedName(name))
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  return holder !== undefined
}

async function found(
  queries: Kysely<Schema>,
  { id, name, created_at_ms }: Pick<OrganizationRow, 'id' | 'name' | 'created_at_ms'>,
  by: AuditActor,
): Promise<void> {
  if (by.userId !== undefined) {
    await queries
      .insertInto('memberships')
      .values({ organization_id: id, user_id: by.userId, role: 'owner', joined_at_ms: created_at_ms })
      .execute()
  }
  await writeAudit(queries, {
    atMs: created_at_ms,
    organizationId: id,
    kind: 'organization.created',
    by,
    detail: { name },
  })
}

/** Replaces the name by a random one, which frees it. */
async function hide(queries: Kysely<Schema>, id: string, nowMs: number): Promise<void> {
  await queries
    .updateTable('organizations')
    .set({ deleted_at_ms: nowMs, name_folded: `deleted ${randomBytes(16).toString('hex')}` })
    .where('id', '=', id)
    .execute()
}

async function endInvitations(queries: Kysely<Schema>, organizationId: string, nowMs: number): Promise<void> {
  await queries
    .updateTable('invitations')
    .set({ revoked_at_ms: nowMs })
    .where('organization_id', '=', organizationId)
    .where('accepted_at_ms', 'is', null)
    .where('revoked_at_ms', 'is', null)
    .execute()
}
