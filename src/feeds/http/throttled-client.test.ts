import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Publisher } from '../../../test/support/feeds/publisher.ts'
import { PublisherClient } from './publisher-client.ts'
import { ThrottledClient } from './throttled-client.ts'

const FILES = 30
const PER_MINUTE = 10

test('parallel requests that are refused together wait once', async () => {
  await using publisher = await Publisher.open({})
  let allowed = PER_MINUTE
  for (let n = 0; n < FILES; n++)
    publisher.files[`/${n}`] = (_, response) => {
      if (allowed-- > 0) response.end('{}')
      else response.writeHead(429, { 'retry-after': '60' }).end()
    }
  const { signal } = new AbortController()
  const web = new PublisherClient(new URL(publisher.origin), { allowPrivate: true }, signal)
  let waits = 0
  const wait = async () => {
    waits++
    // The other requests are answered.
    while (publisher.asked().length > 0) await nextTurn()
    allowed = PER_MINUTE
  }
  const client = new ThrottledClient(web, signal, wait)
  const paths = Object.keys(publisher.files).values()
  const readEach = async () => {
    for (const path of paths) for await (const _ of (await client.get(new URL(path, publisher.origin), {})).body);
  }
  await Promise.all([readEach(), readEach(), readEach(), readEach()])
  web.close()
  assert.ok(waits >= FILES / PER_MINUTE - 1, `${waits}`)
})
