import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Subscription } from '../src/store/contracts/subscriptions.ts'
import { sharedPostgres } from './postgres/shared-postgres.ts'
import { eventually } from './support/eventually.ts'
import { ROOT } from './support/source-files.ts'
import { DeliveryService } from './support/subscriptions/delivery-service.ts'
import { EventReceiver } from './support/subscriptions/event-receiver.ts'

const KILLS = 8
const SUBSCRIPTIONS = 12
const EVENTS_PER_KILL = 5

const CHILD = join(ROOT, 'test/support/subscriptions/delivery-child.ts')

test('nodes killed while they deliver lose no event, and repeat one with its id only (SQLite)', async (t) => {
  await killOften(t, await DeliveryService.open(t), 1)
})

test('nodes killed while they deliver lose no event, and repeat one with its id only (PostgreSQL)', async (t) => {
  const server = await sharedPostgres()
  t.after(() => server[Symbol.asyncDispose]())
  const service = await DeliveryService.open(undefined, await server.createStore())
  try {
    await killOften(t, service, 2)
  } finally {
    await service.close()
  }
})

/** Kills a node in the middle of deliveries, and starts another; `nodes` run at a time. */
async function killOften(t: TestContext, service: DeliveryService, nodes: number): Promise<void> {
  await using receiver = await EventReceiver.open()
  const running: ChildProcess[] = []
  t.after(() => {
    for (const child of running) child.kill('SIGKILL')
  })
  const start = async () => {
    const child = fork(CHILD, [service.databaseUrl])
    running.push(child)
    await once(child, 'message')
  }
  for (let n = 0; n < nodes; n++) await start()
  const subscriptions: Subscription[] = []
  for (let n = 0; n < SUBSCRIPTIONS; n++)
    subscriptions.push(await service.subscribe(receiver.url(`127.0.0.${n + 1}`), `Organization ${n % 3}`))
  await eventually(
    async () =>
      (await service.store.subscriptions.list(undefined, undefined, { status: 'active' })).length === SUBSCRIPTIONS,
  )

  const queued = new Map<string, string[]>(subscriptions.map(({ id }) => [id, []]))
  let revision = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const before = receiver.events.length
    for (let n = 0; n < EVENTS_PER_KILL; n++) {
      for (const each of subscriptions)
        queued.get(each.id)?.push(await service.announce(each, { revision: ++revision }))
    }
    await eventually(() => receiver.events.length > before + SUBSCRIPTIONS)
    const [child] = running.splice(0, 1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Of the other node, too: no more than what it has in flight is repeated.
    await service.endLeases()
    await start()
  }
  await eventually(async () => (await service.store.deliveries.backlog()).queued === 0)
  const repeated = check(receiver, queued)
  t.diagnostic(`${repeated} of ${receiver.events.length} events were repeats after ${KILLS} kills`)
}

/** Every event arrived, first arrivals are in order, and nothing else came. Returns the number of repeats. */
function check(receiver: EventReceiver, queued: ReadonlyMap<string, readonly string[]>): number {
  let repeated = 0
  for (const [subscriptionId, ids] of queued) {
    const arrived = receiver.events
      .filter(({ body }) => body.data.subscriptionId === subscriptionId)
      .map(({ id }) => id)
    const first = [...new Set(arrived)]
    repeated += arrived.length - first.length
    assert.deepEqual(first, ids)
  }
  // Each subscription has one event in flight.
  assert.ok(repeated <= SUBSCRIPTIONS * KILLS, `${repeated} repeats`)
  return repeated
}
