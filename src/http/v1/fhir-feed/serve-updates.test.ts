import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { execute } from '../../../../test/support/store/full-store.ts'
import { openTempStore, syncClinic, tempDatabaseUrl } from '../../../../test/support/store/temp-store.ts'
import { FEED_PATH } from './feed-access.ts'
import { UpdatesHandler } from './serve-updates.ts'
import { formatUpdatePage, UPDATES_FOLDER } from './update-names.ts'

test('too many deleted offerings close the chain, and their number is read once', async (t) => {
  const { url, next } = await clinic(t)
  await execute(
    url,
    `insert into dropped_offerings (id, source_id, revision, offerings_end, json)
      with recursive n(id) as (select 1000 union all select id + 1 from n where id < 21000)
      select id, 1, (select value from counters where name = 'slots'), 30000, '{}' from n`,
  )
  assert.equal(await next(), '#closed')
  await execute(url, 'delete from dropped_offerings')
  assert.equal(await next(), '#closed')
})

test('a page that takes more than half of the cache closes the chain, and is read once', async (t) => {
  const { url, next } = await clinic(t)
  await execute(
    url,
    `update offerings set json = json_set(json, '$.location', json_object('name', hex(zeroblob(9000000))))`,
  )
  assert.equal(await next(), '#closed')
  await execute(url, `update offerings set json = json_remove(json, '$.location')`)
  assert.equal(await next(), '#closed')
})

/** A source with one commit, and what the page of its update links to. */
async function clinic(t: TestContext): Promise<{ url: string; next: () => Promise<string> }> {
  const url = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, url)
  await store.sources.add({ slug: 'clinic', url: 'https://clinic.example/', strict: false })
  await syncClinic(store, 2)
  const log = await store.changeLog.open()
  const { store: number, newest } = log
  await log.close()
  const onError = (error: unknown) => assert.fail(String(error))
  const updates = new UpdatesHandler({ store, baseUrl: 'https://slots.example', now: Date.now, onError })
  const after = { store: number, revision: newest - 1 }
  const target = `/${formatUpdatePage({ kind: 'update', after, until: newest, page: 1 })}`
  const request = { method: 'GET', target, headers: [], address: '192.0.2.1', requestId: 'r' }
  const next = async () => {
    const { status, body } = await updates.handle({ ...request, operation: FEED_PATH + UPDATES_FOLDER })
    const text = Buffer.from(body).toString()
    assert.equal(status, 200, text)
    return JSON.parse(text).link[0].url
  }
  return { url, next }
}
