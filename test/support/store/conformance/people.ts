import type { AuditActor } from '../../../../src/store/contracts/audit.ts'
import type { Organization } from '../../../../src/store/contracts/organizations.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { HARNESS_STARTS_MS } from './harness.ts'

/** A person who can sign in, as an actor of the audit log. */
export type Person = AuditActor & { readonly userId: string }

/** An organization and its owner. */
export interface Founded {
  readonly organization: Organization
  readonly owner: Person
}

/** Adds a person as better-auth does, with the address `<name>@example.org` in lower case. */
export async function addPerson(store: Store, name: string): Promise<Person> {
  const userId = `user-${name.toLowerCase()}`
  const { queries, type } = store.signIn
  const now = new Date(HARNESS_STARTS_MS)
  const at = type === 'sqlite' ? now.toISOString() : now
  const confirmed = type === 'sqlite' ? 1 : true
  const email = `${name.toLowerCase()}@example.org`
  await queries
    .insertInto('users')
    .values({ id: userId, name, email, emailVerified: confirmed, createdAt: at, updatedAt: at })
    .execute()
  return { userId, name: email, address: '192.0.2.7' }
}

/** Deletes an account as better-auth does. */
export async function deletePerson(store: Store, { userId }: Person): Promise<void> {
  await store.signIn.queries.deleteFrom('users').where('id', '=', userId).execute()
}

/** Creates an organization with a new owner. */
export async function found(store: Store, name = 'Acme'): Promise<Founded> {
  const owner = await addPerson(store, `${name}-owner`)
  return { owner, organization: await store.organizations.create(name, owner) }
}

/** Adds a person through an invitation. */
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

/** The audit log of an organization, oldest first: kind, actor, subject. */
export async function logOf(
  store: Store,
  organizationId: string,
): Promise<[kind: string, actor: string, subject: string | undefined][]> {
  const entries = await store.audit.list({ organizationId, limit: 1_000 })
  return entries.reverse().map(({ kind, actor, subject }) => [kind, actor.name, subject])
}
