import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { sharedPostgres } from '../../test/postgres/shared-postgres.ts'
import { conformance, type EmptyDatabase } from '../../test/support/store/conformance/conformance.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

conformance('sqlite', createSqlite)
conformance('postgres', createPostgres)

async function createSqlite(): Promise<EmptyDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-store-'))
  return { url: `sqlite:${folder}/slots.db`, drop: () => rm(folder, { recursive: true }) }
}

async function createPostgres(): Promise<EmptyDatabase> {
  const url = await server.createStore()
  return { url, drop: () => server.dropDatabase(url) }
}
