import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '../../../src/lib/time.ts'
import { DashboardApiHarness, type QueryResult } from './dashboard-api-harness.ts'

const HOURS = 2000

/** A dashboard API whose store has this many counts of one key's usage, and a request for all of them. */
export async function openUsage(
  t: TestContext,
  counts: number,
): Promise<{ readonly ask: (form: string) => Promise<QueryResult> }> {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  const { id } = await harness.addOrganization(as)
  const { key } = await harness.addKey(id, as)
  await sql`insert into usage_hours (key_id, hour_ms, status, requests)
    with recursive row (at) as (select 0 union all select at + 1 from row where at + 1 < ${counts})
    select ${key.id}, (at % ${HOURS}) * ${HOUR_MS}, at / cast(${HOURS} as integer), 1 from row`.execute(
    harness.store.signIn.queries,
  )
  const span = `fromMs=0&toMs=${HOURS * HOUR_MS}`
  return { ask: (form) => harness.ask('GET', `/api/organizations/${id}/usage${form}?${span}`, { as }) }
}
