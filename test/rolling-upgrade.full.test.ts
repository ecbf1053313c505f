import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { startPublisher } from '../demo/publisher.ts'
import { MIGRATIONS, migrate } from '../src/store/migrations/migrate.ts'
import { openDatabase } from '../src/store/open-store.ts'
import { sharedPostgres } from './postgres/shared-postgres.ts'
import { eventually } from './support/eventually.ts'
import { naiveSelect, naiveSlots } from './support/naive-feed.ts'
import { RunningService } from './support/running-service.ts'
import { ADDITIVE_STEP, BREAKING_STEP } from './support/store/later-steps.ts'
import { Visitor } from './support/visitor.ts'

test('a node works on while and after a later version adds to its store (SQLite)', async (t) => {
  const service = await RunningService.prepare()
  t.after(() => service[Symbol.asyncDispose]())
  await upgradeBeside(t, service)
})

test('a node works on while and after a later version adds to its store (PostgreSQL)', async (t) => {
  const server = await sharedPostgres()
  const service = await RunningService.prepare()
  t.after(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  service.env.DATABASE_URL = await server.createDatabase()
  await upgradeBeside(t, service)
})

async function upgradeBeside(t: TestContext, service: RunningService): Promise<void> {
  const first = await publish(t, service, 'first')
  await service.serve()
  const ada = await Visitor.signUp(service, 'ada@example.org')
  const keys = `/api/organizations/${(await ada.json('POST', '/api/organizations', { name: 'Acme' })).id}/keys`
  const { secret } = await ada.json('POST', keys, { name: 'before' })
  await eventually(async () => (await service.slots(secret, '')).body.total === first)

  const totals = [first]
  const asking = askUntilStopped(service, secret, totals)
  await applySteps(service, ADDITIVE_STEP)
  const second = await publish(t, service, 'second', totals)
  await eventually(async () => (await service.slots(secret, '')).body.total === first + second)
  const after = await ada.json('POST', keys, { name: 'after' })
  assert.equal((await service.slots(after.secret, '')).status, 200)
  await ada.json('POST', `${keys}/${after.key.id}/revoke`, { reason: 'lost' })
  await eventually(async () => (await service.slots(after.secret, '')).status === 401)
  assert.ok((await asking.stop()) > 20)

  // A downgrade is possible if later versions have only added to the store.
  await service.stop()
  await service.serve()
  assert.equal((await service.slots(secret, '')).body.total, first + second)
  await service.stop()
  await applySteps(service, ADDITIVE_STEP, BREAKING_STEP)
  const refused = service.launch()
  assert.deepEqual(await once(refused, 'exit'), [1, null])
  await assert.rejects(service.run('key', 'list', '--org', 'Acme'), /newer version upgraded it .*9999-breaking/)
}

/** Adds a source of 300 slots. Returns how many of them are open. `totals` gets the number of open slots with them. */
async function publish(t: TestContext, service: RunningService, slug: string, totals: number[] = []): Promise<number> {
  const nowMs = Date.now()
  const publisher = await startPublisher({ port: 0, slots: 300, seed: 7, clock: () => nowMs })
  t.after(() => publisher.close())
  const open = naiveSelect(await naiveSlots(publisher.url, slug), { status: 'free' }).length
  totals.push((totals.at(-1) ?? 0) + open)
  await service.run('source', 'add', slug, publisher.url)
  return open
}

/** Requests pages, each of which must have one of the totals. `stop()` returns how many there were. */
function askUntilStopped(service: RunningService, secret: string, totals: readonly number[]) {
  let isStopped = false
  const asked = (async () => {
    let count = 0
    while (!isStopped) {
      const { status, body } = await service.slots(secret, `offset=${count++ % 50}`)
      assert.ok(status === 200 && totals.includes(body.total), `${status}, ${body.total} of ${totals}`)
    }
    return count
  })()
  asked.catch(() => undefined)
  return {
    stop: () => {
      isStopped = true
      return asked
    },
  }
}

/** Upgrades the store as the next start of a later version would. */
async function applySteps({ env }: RunningService, ...steps: readonly (typeof ADDITIVE_STEP)[]): Promise<void> {
  const database = await openDatabase(String(env.DATABASE_URL))
  await migrate(database, Date.now(), [...MIGRATIONS, ...steps])
  await database.close()
}
