import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '../../lib/time.ts'
import type { CountedOrganization, OperatedFilter, OperatorStore } from '../contracts/operators.ts'
import { countRows } from './count-rows.ts'
import { activeKeys } from './keys.ts'
import { foldedName, organizationOf } from './organization-row.ts'
import type { OrganizationRow, Schema } from './schema.ts'
import { likePattern } from './text-search.ts'

const THIRTY_DAYS_MS = 30 * DAY_MS

/** A page of the organizations with their counts, and how many match. Only the order by requests counts those of all. */
export async function listOperated(
  queries: Kysely<Schema>,
  { search, order, limit, offset }: OperatedFilter,
  nowMs: number,
): ReturnType<OperatorStore['organizations']> {
  const ordered = selectOperated(queries, { search, nowMs })
    .$if(order === 'newest', (query) => query.orderBy('created_at_ms', 'desc'))
    .$if(order === 'requests', (query) => query.orderBy('requests', 'desc'))
  const rows = await ordered.orderBy('name_folded').limit(limit).offset(offset).execute()
  return { organizations: rows.map(countedOf), total: await countRows(selectMatching(queries, search)) }
}

/** One organization with its counts, and when one of its keys was last used. */
export async function findOperated(
  queries: Kysely<Schema>,
  id: string,
  nowMs: number,
): ReturnType<OperatorStore['organization']> {
  const row = await selectOperated(queries, { search: undefined, nowMs })
    .where('organizations.id', '=', id)
    .select((organization) =>
      organization
        .selectFrom('api_keys')
        .whereRef('api_keys.organization_id', '=', 'organizations.id')
        .select((table) => table.fn.max('last_used_at_ms').as('last_ms'))
        .as('last_ms'),
    )
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { ...countedOf(row), ...(row.last_ms !== null && { lastRequestAtMs: Number(row.last_ms) }) }
}

function countedOf(row: OrganizationRow & Record<'members' | 'keys' | 'requests', unknown>): CountedOrganization {
  return {
    organization: organizationOf(row),
    members: Number(row.members),
    keys: Number(row.keys),
    requests30d: Number(row.requests),
  }
}

function selectMatching(queries: Kysely<Schema>, search: string | undefined) {
  const all = queries.selectFrom('organizations').where('deleted_at_ms', 'is', null)
  return search === undefined ? all : all.where('name_folded', 'like', likePattern(foldedName(search)))
}

function selectOperated(queries: Kysely<Schema>, { search, nowMs }: { search: string | undefined; nowMs: number }) {
  return selectMatching(queries, search)
    .selectAll()
    .select((organization) => [
      organization
        .selectFrom('memberships')
        .whereRef('memberships.organization_id', '=', 'organizations.id')
        .select((table) => table.fn.countAll().as('members'))
        .as('members'),
      activeKeys(queries, nowMs)
        .where('api_keys.organization_id', '=', sql.ref<string>('organizations.id'))
        .select((table) => table.fn.countAll().as('keys'))
        .as('keys'),
      organization
        .selectFrom('usage_hours')
        .innerJoin('api_keys', 'api_keys.id', 'usage_hours.key_id')
        .whereRef('api_keys.organization_id', '=', 'organizations.id')
        .where('hour_ms', '>=', nowMs - THIRTY_DAYS_MS)
        .select((table) => table.fn.coalesce(table.fn.sum('requests'), sql<number>`0`).as('requests'))
        .as('requests'),
    ])
}
