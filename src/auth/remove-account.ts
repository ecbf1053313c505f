import type { AuditActor } from '../store/contracts/audit.ts'
import type { Store } from '../store/contracts/store.ts'
import type { LibraryHolder } from './better-auth-holder.ts'
import type { DeleteOutcome } from './sign-in.ts'

export type Removal = Extract<DeleteOutcome, { outcome: 'deleted' | 'owner' }>

/**
 * Ends the person's memberships, each noted in its organization's log, and deletes all that is kept of the person: sessions,
 * password, passkeys. What the logs say stays. Refused while the person owns an organization: nothing is changed then.
 */
export async function removeAccount(
  parts: { store: Pick<Store, 'memberships'>; holder: LibraryHolder },
  userId: string,
  by: AuditActor,
): Promise<Removal> {
  const { memberships } = parts.store
  const owned = await ownedBy(userId)
  if (owned.length > 0) return { outcome: 'owner', organizations: owned }
  for (const { organization } of await memberships.listOfUser(userId)) {
    await memberships.remove({ organizationId: organization.id, userId }, by)
  }
  // Somebody may have handed over an organization meanwhile.
  const ownedNow = await ownedBy(userId)
  if (ownedNow.length > 0) return { outcome: 'owner', organizations: ownedNow }
  const { internalAdapter } = await parts.holder.current.$context
  await internalAdapter.deleteUser(userId)
  return { outcome: 'deleted' }

  async function ownedBy(owner: string): Promise<string[]> {
    const all = await memberships.listOfUser(owner)
    return all.filter(({ role }) => role === 'owner').map(({ organization }) => organization.name)
  }
}
