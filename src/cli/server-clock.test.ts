import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedPostgres } from '../../test/postgres/shared-postgres.ts'
import { runInProcess } from '../../test/support/cli/run-in-process.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'
import { openStore } from '../store/open-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('commands on a machine whose clock is wrong use the time of the PostgreSQL server, as nodes do', async (t) => {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const now = Date.now
  t.mock.method(Date, 'now', () => now() + 10 * DAY_MS)
  const run = async (...args: string[]) => {
    const { out } = await runInProcess([...args, '--json'], { DATABASE_URL: url })
    return JSON.parse(out)
  }
  const { createdAt } = await run('source', 'add', 'clinic', 'http://127.0.0.1:1/')
  const views = [
    ...(await run('source', 'list')),
    await run('source', 'show', 'clinic'),
    await run('source', 'hold', 'clinic', 'nothing'),
    await run('source', 'approve', 'clinic'),
    await run('source', 'resume', 'clinic'),
  ]
  const { startedAt } = await run('sync', 'clinic')
  await run('org', 'create', 'Good Health')
  const key = await run('key', 'create', '--org', 'Good Health')
  const store = await openStore(url)
  t.after(() => store.close())
  const { nextSyncAtMs } = (await store.sources.find('clinic')) ?? assert.fail()
  const [{ atMs }] = await store.sourceLog.list({ limit: 1 })
  for (const { health } of views) assert.equal(health, 'never-synced')
  const times = [createdAt, startedAt, key.createdAt].map(Date.parse).concat(nextSyncAtMs, atMs)
  for (const timeMs of times) assert.ok(Math.abs(timeMs - store.now()) < 10 * MINUTE_MS, new Date(timeMs).toISOString())
})
