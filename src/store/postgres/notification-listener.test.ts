import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { openStore } from '../open-store.ts'
import { CHANNEL, NotificationListener } from './notification-listener.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

const DEADLINE_MS = 30_000

/** Notifies until a wait ends before its timeout; false if none does. */
async function isWoken(wait: (ms: number, signal: AbortSignal) => Promise<void>, call: () => Promise<unknown>) {
  const deadlineMs = performance.now() + DEADLINE_MS
  const { signal } = new AbortController()
  while (performance.now() < deadlineMs) {
    const startedMs = performance.now()
    const waiting = wait(2000, signal)
    await call()
    await waiting
    if (performance.now() - startedMs < 1500) return true
  }
  return false
}

test('listens to the available one of several hosts', async (t) => {
  const calls = new NotificationListener(
    `postgres://tester:secret@127.0.0.1:${await freePort()},127.0.0.1:${server.port}/postgres`,
  )
  t.after(() => calls.close())
  assert.ok(
    await isWoken(
      (ms, signal) => calls.wait(ms, signal),
      () => server.command(`notify ${CHANNEL}`),
    ),
  )
})

test('receives notifications over a direct connection that bypasses a pooler', async (t) => {
  const url = await server.createDatabase()
  const wrongWay = url.replace(`:${server.port}/`, `:${await freePort()}/`)
  const open = async (directUrl: string) => {
    const store = await openStore(url, { directUrl })
    t.after(() => store.close())
    return store
  }
  const [direct, deaf] = [await open(url), await open(wrongWay)]
  let n = 0
  const commit = () =>
    deaf.organizations.create(`org ${n++}`).then(({ id }) => deaf.organizations.remove(id, { name: 'me' }))
  assert.ok(await isWoken((ms, signal) => direct.revisionFeed.wait(ms, signal), commit))
  const startedMs = performance.now()
  const { signal } = new AbortController()
  await Promise.all([deaf.revisionFeed.wait(500, signal), commit()])
  assert.ok(performance.now() - startedMs >= 490)
})
