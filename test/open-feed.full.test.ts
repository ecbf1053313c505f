import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../src/store/open-store.ts'
import { manifest, ndjson, Publisher } from './support/feeds/publisher.ts'
import { RunningService } from './support/running-service.ts'
import { readAll } from './support/store/temp-store.ts'

const SLOTS = 20_000
const READERS = 40
const PATIENCE_MS = 90_000

test('a second service follows the updates of a running one through restarts, beside readers that take nothing', async () => {
  await using directory = await RunningService.prepare()
  await using copy = await RunningService.prepare()
  await using publisher = await Publisher.open({})
  Object.assign(directory.env, { OPEN_FEED: 'true', WORKERS: '2' })
  await directory.run('org', 'create', 'Good Health')
  const { key } = await directory.run('key', 'create', '--org', 'Good Health')
  await directory.run('source', 'add', 'clinic', `${publisher.origin}/$bulk-publish`)
  const publish = async (generation: number) => {
    publishFeed(publisher, generation)
    await directory.run('sync', 'clinic')
  }
  await publish(0)
  await directory.serve()
  await copy.run('source', 'add', 'directory', `${directory.home}/fhir/$bulk-publish`)
  const follow = async (generation: number) => {
    await copy.run('sync', 'directory')
    assert.deepEqual(await slotsOf(copy), await slotsOf(directory), `generation ${generation}`)
  }
  await follow(0)
  const page = await nextOf(`${directory.home}/fhir/$bulk-publish`)

  const largest = (await get(`${directory.home}/fhir/$bulk-publish`)).output.at(-1).url
  const readers = Array.from({ length: READERS }, () => readNothing(largest))
  try {
    await publish(1)
    await untilUpdated(page)
    for (let n = 0; n < 200; n++) {
      const headers = { 'x-api-key': String(key) }
      const { status } = await fetch(`${directory.origin}/v1/scheduling/slots?offset=${n}`, { headers })
      assert.equal(status, 200)
    }
    await follow(1)
  } finally {
    for (const reader of readers) reader.destroy()
  }

  await directory.stop()
  await publish(2)
  await directory.serve()
  await follow(2)
})

/** Polls rarely, because the requests of an address are limited. */
async function untilUpdated(page: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; (await nextOf(page)) === '#pending'; await sleep(1000))
    assert.ok(Date.now() < deadline, 'there must be an update')
}

/** In each generation others of a hundred slots are busy or missing. */
function publishFeed({ files }: Publisher, generation: number): void {
  const slots = Array.from({ length: SLOTS }, (_, n) => n).flatMap((n) => {
    if (n < 100 && (n + generation) % 3 === 0) return []
    const startMs = Date.UTC(2040, 0, 1) + n * 60_000
    const status = n < 100 && (n + generation) % 3 === 1 ? 'busy' : 'free'
    const [start, end] = [startMs, startMs + 60_000].map((ms) => new Date(ms).toISOString())
    return [{ resourceType: 'Slot', id: `${n}`, schedule: { reference: 'Schedule/a' }, status, start, end }]
  })
  files['/$bulk-publish'] = manifest({ '/locations': 'Location', '/schedules': 'Schedule', '/slots': 'Slot' })
  files['/locations'] = ndjson({ resourceType: 'Location', id: 'l', address: { state: 'MA' } })
  files['/schedules'] = ndjson({ resourceType: 'Schedule', id: 'a', actor: [{ reference: 'Location/l' }] })
  files['/slots'] = ndjson(...slots)
}

/** As `status start`. */
async function slotsOf({ env }: RunningService): Promise<string[]> {
  const store = await openStore(String(env.DATABASE_URL))
  try {
    return [...(await readAll(store)).values()].map(({ status, startMs }) => `${status} ${startMs}`).sort()
  } finally {
    await store.close()
  }
}

/** A reader that requests a file and takes nothing of it. */
function readNothing(url: string): Socket {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
  return socket
}

// biome-ignore lint/suspicious/noExplicitAny: looked at field by field
async function get(url: string): Promise<any> {
  return (await fetch(url)).json()
}

async function nextOf(url: string): Promise<string> {
  return (await get(url)).link[0].url
}
