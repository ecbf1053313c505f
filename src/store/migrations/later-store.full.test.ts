import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ReusableStore } from '../../../test/postgres/reusable-store.ts'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { conformance } from '../../../test/support/store/conformance/conformance.ts'
import { createEmptyDatabase } from '../../../test/support/store/empty-database.ts'
import { ADDITIVE_STEP } from '../../../test/support/store/later-steps.ts'
import { openDatabase } from '../open-store.ts'
import { MIGRATIONS, migrate } from './migrate.ts'

// All guarantees hold in a store to which a later version has added: nodes of both versions use it during an upgrade.

// The sequences themselves are tested at full length in the store of this version.
process.env.STORE_DEPTH = '0.05'

const server = await sharedPostgres()
const reusable = await ReusableStore.create(server)
await upgrade(reusable.url)
after(async () => {
  await reusable[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const STORES = {
  sqlite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slots-store-'))
    const url = `sqlite:${folder}/slots.db`
    await createEmptyDatabase(url)
    await upgrade(url)
    return { url, drop: () => rm(folder, { recursive: true }) }
  },
  postgres: async () => ({ url: reusable.url, drop: () => reusable.empty() }),
}

for (const [kind, create] of Object.entries(STORES))
  for (const { name, run } of conformance(create)) test(`${kind}: ${name}`, run)

async function upgrade(url: string): Promise<void> {
  const database = await openDatabase(url)
  await migrate(database, 0, [...MIGRATIONS, ADDITIVE_STEP])
  await database.close()
}
