import { type Kysely, sql } from 'kysely'
import { NOTICE_KINDS } from '../contracts/account-activity.ts'
import type { ServiceEvent } from '../contracts/audit.ts'
import { readChainEnd } from './audit-chain.ts'
import type { Schema } from './schema.ts'

/**
 * Keeps when a person last signed in, and the first entry about a change by another that they have not dismissed. Call it right
 * after the entry of the service's log, in its transaction.
 */
export async function noteActivity(
  queries: Kysely<Schema>,
  { userId, kind, by, atMs }: Pick<ServiceEvent, 'kind' | 'by'> & { readonly userId: string; readonly atMs: number },
): Promise<void> {
  const update = queries.updateTable('users').where('id', '=', userId)
  if (kind === 'sign-in.succeeded') {
    await update.set({ last_sign_in_ms: atMs }).execute()
  } else if (NOTICE_KINDS.includes(kind) && by.userId !== userId) {
    const { id } = await readChainEnd(queries, 'head')
    await update.set({ first_notice_id: sql<number>`coalesce(first_notice_id, ${id})` }).execute()
  }
}
