import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sharedPostgres } from './postgres/shared-postgres.ts'
import { manifest, ndjson, Publisher } from './support/feeds/publisher.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

const SLOTS = 30_000
const START_MS = Date.UTC(2030, 0, 7, 8)
const PERSON = { email: 'ada@example.org', password: 'a long enough password', name: 'Ada' }
const PAGE = 'state=MA&limit=100&offset=12345'

test('an interrupted move resumes, and the service returns the same responses from PostgreSQL', async (t) => {
  await using server = await sharedPostgres()
  await using service = await RunningService.prepare()
  const from = String(service.env.DATABASE_URL)
  const to = await server.createDatabase()
  await addSlots(t, service)
  await service.run('org', 'create', 'Acme')
  const { key } = await service.run('key', 'create', '--org', 'Acme')
  await service.serve()
  const session = await signIn(service, 'sign-up')
  const before = await service.slots(String(key), PAGE)
  assert.equal(before.body.total, SLOTS)
  await assert.rejects(service.run('move', '--from', from, '--to', to), /--from must not be in use/)
  await service.stop()

  await killInTheMiddle(service, from, to)
  service.env.DATABASE_URL = to
  await assert.rejects(service.run('org', 'list'), /the move into it must be finished first/)
  const moved = await service.run('move', '--from', from, '--to', to)
  assert.equal(moved.resumed, true)
  assert.equal(rowsOf(moved, 'slots'), SLOTS)

  await service.serve()
  assert.deepEqual(await service.slots(String(key), PAGE), before)
  assert.equal((await me(service, session)).email, PERSON.email)
  assert.equal((await me(service, await signIn(service, 'sign-in'))).email, PERSON.email)
})

/** Kills the command once some of the slots are there, which is most of its work. */
async function killInTheMiddle({ env }: RunningService, from: string, to: string): Promise<void> {
  const client = new pg.Client(to)
  await client.connect()
  try {
    const args = ['src/main.ts', 'move', '--from', from, '--to', to]
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    while (child.exitCode === null && (await countSlots(client)) === 0) await sleep(5)
    child.kill('SIGKILL')
    await ended
    const there = await countSlots(client)
    assert.ok(there > 0 && there < SLOTS, `it was killed after ${there} slots`)
  } finally {
    await client.end()
  }
}

async function countSlots(client: pg.Client): Promise<number> {
  const { rows } = await client.query(`select to_regclass('slots') is not null as made`)
  if (!rows[0].made) return 0
  return Number((await client.query('select count(*) as count from slots')).rows[0].count)
}

function rowsOf({ tables }: Record<string, unknown>, name: string): number | undefined {
  return (tables as { table: string; rows: number }[]).find(({ table }) => table === name)?.rows
}

async function addSlots(t: TestContext, service: RunningService): Promise<void> {
  const publisher = await Publisher.open({
    '/$bulk-publish': manifest({ '/locations': 'Location', '/schedules': 'Schedule', '/slots': 'Slot' }),
    '/locations': ndjson({ resourceType: 'Location', id: '1', name: 'Clinic', address: { state: 'MA' } }),
    '/schedules': ndjson({ resourceType: 'Schedule', id: '1', actor: [{ reference: 'Location/1' }] }),
    '/slots': ndjson(...Array.from({ length: SLOTS }, (_, n) => slotOf(n))),
  })
  t.after(() => publisher[Symbol.asyncDispose]())
  await service.run('source', 'add', 'clinic', `${publisher.origin}/$bulk-publish`)
  await service.run('sync', 'clinic')
}

function slotOf(n: number): object {
  const start = new Date(START_MS + n * 60_000).toISOString()
  const end = new Date(START_MS + n * 60_000 + 900_000).toISOString()
  return {
    resourceType: 'Slot',
    id: `slot-${n}`,
    schedule: { reference: 'Schedule/1' },
    status: 'free',
    start,
    end,
  }
}

/** The cookie of the new session. */
async function signIn({ home }: RunningService, how: 'sign-up' | 'sign-in'): Promise<string> {
  const response = await fetch(`${home}/api/auth/${how}/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: home },
    body: JSON.stringify(PERSON),
  })
  assert.equal(response.status, 200, await response.text())
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function me({ home }: RunningService, cookie: string): Promise<{ email?: string }> {
  const response = await fetch(`${home}/api/me`, { headers: { cookie } })
  const body = JSON.parse(await response.text())
  assert.equal(response.status, 200)
  return body.user ?? body
}
