import type { AuditActor } from '../../../../src/store/contracts/audit.ts'
import type { Organization } from '../../../../src/store/contracts/organizations.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { BED_STARTS_MS } from './bed.ts'

/** Somebody who can sign in, as the log would name them. */
export type Person = AuditActor & { readonly userId: string }

/** An organization and its owner. */
export interface Founded {
  readonly organization: Organization
  readonly owner: Person
}

/** Adds a person the way the sign-in library does. The address is `<name>@example.org`, all in lower case. */
export async function addPerson(store: Store, name: string): Promise<Person> {
  const userId = `user-${name.toLowerCase()}`
  const { queries, type } = store.signIn
  const now = new Date(BED_STARTS_MS)
  const at = type === 'sqlite' ? now.toISOString() : now
  const confirmed = type === 'sqlite' ? 1 : true
  const email = `${name.toLowerCase()}@example.org`
  await queries
    .insertInto('users')
    .values({ id: userId, name, email, emailVerified: confirmed, createdAt: at, updatedAt: at })
    .execute()
  return { userId, name: email, address: '192.0.2.7' }
}

/** What deleting an account comes to. */
export async function deletePerson(store: Store, { userId }: Person): Promise<void> {
  await store.signIn.queries.deleteFrom('users').where('id', '=', userId).execute()
}

/** Makes an organization with an owner of its own. */
export async function found(store: Store, name = 'Acme'): Promise<Founded> {
  const owner = await addPerson(store, `${name}-owner`)
  return { owner, organization: await store.organizations.create(name, owner) }
}

/** Brings a person in by an invitation. */
export async function join(
  store: Store,
  { organization, owner }: Founded,
  name: string,
  role: 'admin' | 'member' = 'member',
): Promise<Person> {
  const person = await addPerson(store, name)
  const tokenHash = `token-${person.userId}-${organization.id}`
  const expiresAtMs = Number.MAX_SAFE_INTEGER
  await store.invitations.create({ organizationId: organization.id, role, tokenHash, expiresAtMs }, owner)
  await store.invitations.accept(tokenHash, { id: person.userId, email: person.name }, person)
  return person
}

/** What an organization's log says, oldest first: kind, actor, subject. */
export async function logOf(
  store: Store,
  organizationId: string,
): Promise<[kind: string, actor: string, subject: string | undefined][]> {
  const entries = await store.audit.list({ organizationId, limit: 1_000 })
  return entries.reverse().map(({ kind, actor, subject }) => [kind, actor.name, subject])
}
