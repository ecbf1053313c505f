import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { fillIndex } from '../../test/support/fill-index.ts'
import {
  ask,
  connection,
  index,
  KEY,
  NOW_MS,
  SLOTS,
  sampleSlots,
  server,
} from '../../test/support/http/sample-server.ts'

/** More bytes than the buffers of a connection take. */
const PAGES = 400
const LIMIT = 100

test('pages that a caller has not taken yet are not overwritten by the pages of others', async () => {
  const slots = sampleSlots(PAGES + LIMIT + 1)
  fillIndex(index, slots, { nowMs: NOW_MS })
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const slow = connection().pause()
  const requests = Array.from({ length: PAGES }, (_, offset) => {
    const last = offset === PAGES - 1 ? 'Connection: close\r\n' : ''
    const target = `${SLOTS}?limit=${LIMIT}&offset=${offset}`
    return `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEY}\r\n${last}\r\n`
  })
  slow.write(requests.join(''))
  await eventually(() => sockets[0]?.writableLength > 0)
  for (let offset = 0; offset < 60; offset++)
    assert.equal((await ask(`${SLOTS}?state=MA&limit=${LIMIT}&offset=${offset}`)).status, 200)
  assert.ok(sockets[0].writableLength > 0)
  const pages = (await text(slow)).split('HTTP/1.1 200 OK\r\n').slice(1)
  const read = pages.map((page) => JSON.parse(page.slice(page.indexOf('\r\n\r\n'))).slots.map(idOf))
  // The first slot has ended.
  const open = slots.slice(1).map(idOf)
  assert.deepEqual(
    read,
    Array.from({ length: PAGES }, (_, offset) => open.slice(offset, offset + LIMIT)),
  )
})

function idOf({ id }: { readonly id: string }): string {
  return id
}
