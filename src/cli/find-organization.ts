import type { Organization, Store } from '../store/contracts/store.ts'
import { Failure } from './command.ts'
import { PROGRAM } from './program.ts'

/** The organization of a name or an id. Throws `Failure` with how to find or make it. */
export async function getOrganization(store: Store, idOrName: string): Promise<Organization> {
  const organization = await store.organizations.find(idOrName)
  if (organization !== undefined) return organization
  throw new Failure(
    `Cannot find organization: --org must be the name or id of one: got "${idOrName}"
All of them: ${PROGRAM} org list
A new one:   ${PROGRAM} org create ${JSON.stringify(idOrName)}`,
  )
}
