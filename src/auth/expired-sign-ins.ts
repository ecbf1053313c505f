import type { Store } from '../store/contracts/store.ts'

/** Deletes expired sessions and verifications. */
export async function deleteExpiredSignIns(
  { signIn: { queries } }: Pick<Store, 'signIn'>,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs).toISOString()
  await queries.deleteFrom('sessions').where('expiresAt', '<', now).execute()
  await queries.deleteFrom('verifications').where('expiresAt', '<', now).execute()
}
