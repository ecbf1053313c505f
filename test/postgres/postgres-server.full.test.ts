import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { eventually } from '../support/eventually.ts'
import { PostgresServer } from './postgres-server.ts'

test('a promoted standby has all acknowledged writes, and can have a standby', async () => {
  await using primary = await PostgresServer.start()
  const url = new URL(await primary.createDatabase())
  await run(url.href, 'create table noted (n integer)')
  await using second = await primary.createStandby()
  for (let n = 1; n <= 20; n++) await run(url.href, `insert into noted values (${n})`)
  await primary.kill('SIGKILL')

  await second.promote()
  const there = second.url(url.pathname.slice(1))
  assert.deepEqual(await run(there, 'select max(n) as newest, count(*)::integer as n from noted'), [
    { newest: 20, n: 20 },
  ])

  await using third = await second.createStandby()
  await run(there, 'insert into noted values (21)')
  await second.kill('SIGKILL')
  await third.promote()
  assert.deepEqual(await run(third.url(url.pathname.slice(1)), 'select max(n) as newest from noted'), [{ newest: 21 }])
})

test('a killed server leaves no process that executes a statement', async () => {
  await using server = await PostgresServer.start()
  const client = new pg.Client(await server.createDatabase())
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`set statement_timeout = '60s'`)
  const endless = assert.rejects(client.query('do $$ begin loop end loop; end $$'), /terminated|ECONNRESET/)
  await eventually(async () => {
    const running = await server.command(`select from pg_stat_activity where query like 'do $$ %' and state = 'active'`)
    return running.length > 0
  })
  await server.kill('SIGKILL')
  await endless
})

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
