import type { Kysely, Updateable } from 'kysely'
import type { ApiKey } from '../../keys/key.ts'
import type { AuditDetail } from '../contracts/audit.ts'
import type { KeyEdit } from '../contracts/keys.ts'
import { fromRow } from './row-mapping.ts'
import type { ApiKeyRow, OrganizationRow, Schema } from './schema.ts'

/** A key of a row. */
export function keyOf(row: ApiKeyRow): ApiKey {
  const { networks, ...key } = fromRow(row)
  return networks === undefined ? key : { ...key, networks: JSON.parse(networks) }
}

/** Rows of keys with the state of their organizations. */
export function selectWithState(queries: Kysely<Schema>) {
  return queries
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .selectAll('api_keys')
    .select(['organizations.suspended_at_ms', 'organizations.suspension_revision'])
}

/** A key of such a row. */
export function keyWithState({
  suspended_at_ms,
  suspension_revision: revision,
  ...row
}: ApiKeyRow & Pick<OrganizationRow, 'suspended_at_ms' | 'suspension_revision'>): ApiKey {
  if (revision === null) return keyOf(row)
  return { ...keyOf(row), organizationState: { revision, suspended: suspended_at_ms !== null } }
}

/** The row of a key. */
export function rowOf(key: ApiKey, revision: number): ApiKeyRow {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    note: key.note ?? null,
    networks: networksText(key.networks),
    hash: key.hash,
    last_four: key.lastFour,
    created_at_ms: key.createdAtMs,
    created_by: key.createdBy ?? null,
    replaced_by: key.replacedBy ?? null,
    expires_at_ms: key.expiresAtMs ?? null,
    revoked_at_ms: key.revokedAtMs ?? null,
    revoked_reason: key.revokedReason ?? null,
    last_used_at_ms: key.lastUsedAtMs ?? null,
    revision,
  }
}

/** What an edit changes in the row, and the old and new values for the audit log. */
export function changesOf(
  key: ApiKey,
  { name, note, expiresAtMs, networks }: KeyEdit,
): { changes: Updateable<ApiKeyRow>; detail: AuditDetail } {
  const changes: Updateable<ApiKeyRow> = {}
  const detail: Record<string, AuditDetail[string]> = {}
  if (name !== undefined && name !== key.name) {
    changes.name = name
    detail.newName = name
  }
  if (note !== undefined && note !== (key.note ?? null)) {
    changes.note = note
    Object.assign(detail, { oldNote: key.note ?? null, newNote: note })
  }
  if (expiresAtMs !== undefined && expiresAtMs !== (key.expiresAtMs ?? null)) {
    changes.expires_at_ms = expiresAtMs
    Object.assign(detail, { oldExpiresAtMs: key.expiresAtMs ?? null, newExpiresAtMs: expiresAtMs })
  }
  if (networks !== undefined && networksText(networks) !== networksText(key.networks)) {
    changes.networks = networksText(networks)
    Object.assign(detail, { oldNetworks: listed(key.networks), newNetworks: listed(networks) })
  }
  return { changes, detail }
}

function networksText(networks: readonly string[] | null | undefined): string | null {
  return networks == null || networks.length === 0 ? null : JSON.stringify(networks)
}

function listed(networks: readonly string[] | null | undefined): string | null {
  return networks == null || networks.length === 0 ? null : networks.join(', ')
}
