import { after } from 'node:test'
import type { Store } from '../../../src/store/contracts/store.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { ReusableStore } from '../../postgres/reusable-store.ts'
import { sharedPostgres } from '../../postgres/shared-postgres.ts'
import { tempDatabaseUrl } from '../store/temp-store.ts'

/** Does something with an empty store, by the kind of its database. */
export type OnStore = (work: (store: Store, url: string) => Promise<void>) => Promise<void>

/** An empty store of each kind of database at a time. */
export async function bulkStores(): Promise<Readonly<Record<'sqlite' | 'postgres', OnStore>>> {
  const server = await sharedPostgres()
  const postgres = await ReusableStore.create(server)
  after(async () => {
    await postgres[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  return {
    sqlite: (work) => onStore(tempDatabaseUrl(), work),
    async postgres(work) {
      try {
        await onStore(postgres.url, work)
      } finally {
        await postgres.empty()
      }
    },
  }
}

async function onStore(url: string, work: (store: Store, url: string) => Promise<void>): Promise<void> {
  const store = await openStore(url)
  try {
    await work(store, url)
  } finally {
    await store.close()
  }
}
