import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { findGenerator } from './load.ts'

test('requests each path once before any path twice', async (t) => {
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { generate } = await findGenerator()
  const { port } = server.address() as AddressInfo
  const paths = Array.from({ length: 100_000 }, (_, n) => `/?n=${n}`)
  await generate({ port, paths, seconds: 1, key: 'key', connections: 8 })
  const first = requests.slice(0, paths.length)
  assert.equal(new Set(first).size, first.length)
  assert.ok(requests.length > 0)
})
