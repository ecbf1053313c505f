import { after } from 'node:test'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { conformance } from '../../../test/support/store/conformance/conformance.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

conformance('postgres', async () => {
  const url = await server.createStore()
  return { url, drop: () => server.dropDatabase(url) }
})
