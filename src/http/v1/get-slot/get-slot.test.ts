import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, KEY, SLOTS, sampleSlots } from '../../../../test/support/http/sample-server.ts'

const [ended, open] = sampleSlots(2)

test('returns one slot as the list does, including one that has ended', async () => {
  const listed = (await ask(`${SLOTS}?limit=1`)).json.slots[0]
  const { status, headers, json } = await ask(`${SLOTS}/${open.id}`)
  assert.deepEqual([status, headers['content-type'], json], [200, 'application/json', listed])
  assert.equal((await ask(`${SLOTS}/${ended.id}`)).json.id, ended.id)
})

test('returns 404 for an unknown slot and for an invalid id', async () => {
  for (const id of ['0'.repeat(24), 'x', '%00', '__proto__', open.id.toUpperCase(), `${open.id}0`, '%F0%9F%98%80']) {
    const { status, json } = await ask(`${SLOTS}/${id}`)
    assert.deepEqual([status, json.error], [404, 'Not found'], id)
  }
  assert.match((await ask(`${SLOTS}/${'0'.repeat(24)}`)).json.message, /Slot "0{24}" does not exist/)
})

test('returns 304 for its ETag, 405 for POST and 400 for any parameter', async () => {
  const { headers } = await ask(`${SLOTS}/${open.id}`)
  const again = { 'x-api-key': KEY, 'if-none-match': String(headers.etag) }
  assert.equal((await ask(`${SLOTS}/${open.id}`, again)).status, 304)
  assert.equal((await ask(`${SLOTS}/${open.id}`, { 'x-api-key': KEY }, 'POST')).status, 405)
  const { status, json } = await ask(`${SLOTS}/${open.id}?limit=1`)
  assert.deepEqual([status, json.parameter], [400, 'limit'])
  assert.equal((await ask(`${SLOTS}/${open.id}`, {})).status, 401)
})
