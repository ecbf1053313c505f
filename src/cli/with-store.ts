import type { Store } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import type { Call } from './command.ts'

/** Does something with the store that the environment names, and closes it whatever happens. */
export async function withStore<T>(call: Call, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(call.config.databaseUrl, { now: call.clock })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
