import { type OpenSignIn, openSignIn } from '../auth/open-sign-in.ts'
import type { Person } from '../auth/users.ts'
import type { Store } from '../store/contracts/store.ts'
import { type Call, Failure } from './command.ts'
import { PROGRAM } from './program.ts'
import { plainText } from './table.ts'
import { withStore } from './with-store.ts'

/** What a command about accounts works with. */
export interface AccountAccess {
  readonly store: Store
  readonly signIn: OpenSignIn
}

/** Does something with the accounts of the store that the environment names. Sends no mail. */
export function withSignIn<T>(call: Call, work: (access: AccountAccess) => Promise<T>): Promise<T> {
  return withStore(call, async (store) => {
    const { account, baseUrl, dashboardUrl, docsUrl } = call.config
    const addresses = { baseUrl, dashboardUrl, docsUrl, version: '' }
    const onEvent = ({ message, fields }: { message: string; fields: object }) =>
      call.tell(plainText(`${message}: ${JSON.stringify(fields)}`))
    const signIn = await openSignIn({ store, settings: account, ...addresses, now: call.clock, onEvent })
    try {
      return await work({ store, signIn })
    } finally {
      await signIn.close()
    }
  })
}

/** Whoever has the address. Throws `Failure` if nobody has: the message begins with what could not be done. */
export async function findPerson({ signIn }: AccountAccess, email: string, cannot: string): Promise<Person> {
  const person = await signIn.findAccount(email)
  if (person !== undefined) return person
  throw new Failure(
    `Cannot ${cannot}: e-mail must be that of an account: got "${email}"\nAll of them: ${PROGRAM} account list`,
  )
}
