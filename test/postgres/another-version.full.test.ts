import { after, test } from 'node:test'
import { conformance } from '../support/store/conformance/conformance.ts'
import { installedPostgres } from './installed-postgres.ts'
import { PostgresServer } from './postgres-server.ts'

// The store's conformance suite on the PostgreSQL of the distribution, which is usually an older version than npm's.

const binaries = installedPostgres()

if (binaries === undefined) {
  const skip = 'the distribution has no PostgreSQL in /usr/lib/postgresql'
  test('the store on another version of PostgreSQL', { skip }, () => undefined)
} else {
  const server = await PostgresServer.start({}, binaries)
  after(() => server[Symbol.asyncDispose]())
  const tests = conformance(async () => {
    const url = await server.createStore()
    return { url, drop: () => server.dropDatabase(url) }
  })
  for (const { name, run } of tests) test(name, run)
}
