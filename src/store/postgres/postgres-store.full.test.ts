import { after, test } from 'node:test'
import { ReusableStore } from '../../../test/postgres/reusable-store.ts'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { conformance } from '../../../test/support/store/conformance/conformance.ts'

const server = await sharedPostgres()
const store = await ReusableStore.create(server)
after(async () => {
  await store[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

for (const { name, run } of conformance(async () => ({ url: store.url, drop: () => store.empty() }))) test(name, run)
