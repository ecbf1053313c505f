import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileResponse } from '../http/publisher-client.ts'
import { OPEN_RESPONSES_MAX, prefetch } from './prefetch.ts'

/** Answers whose opening and giving up are written down. */
function asker(waitMs: (file: number) => number = () => 0) {
  const log = { asked: [] as number[], discarded: [] as number[], openMax: 0 }
  let open = 0
  const ask = async (file: number): Promise<FileResponse> => {
    log.asked.push(file)
    log.openMax = Math.max(log.openMax, ++open)
    await sleep(waitMs(file))
    const discard = () => {
      open--
      log.discarded.push(file)
    }
    return { notModified: false, discard } as unknown as FileResponse
  }
  return { log, ask, done: () => open-- }
}

const FILES = Array.from({ length: 20 }, (_, at) => at)

test('yields responses in the order of the files', async () => {
  const { log, ask, done } = asker((file) => (file % 4 === 0 ? 20 : 0))
  const read: number[] = []
  for await (const [file] of prefetch(FILES, ask)) {
    read.push(file)
    await sleep(1)
    done()
  }
  assert.deepEqual(read, FILES)
  assert.deepEqual(log.asked, FILES)
  assert.equal(log.openMax, OPEN_RESPONSES_MAX)
  assert.deepEqual(log.discarded, [])
})

test('repeats a request whose response waited too long, and then stops prefetching', async () => {
  const { log, ask } = asker()
  let nowMs = 0
  const read: number[] = []
  for await (const [file] of prefetch(FILES, ask, { now: () => nowMs })) {
    read.push(file)
    await sleep(5)
    nowMs += 11_000
  }
  assert.deepEqual(read, FILES)
  assert.deepEqual(log.discarded, [1, 2, 3, 4])
  assert.deepEqual(log.asked, [0, 1, 2, 3, 4, 1, 2, 3, 4, ...FILES.slice(5)])
})

test('fails in order and aborts prefetched requests', async () => {
  const { log, ask } = asker()
  const failing = (file: number) => (file === 2 ? Promise.reject(new Error('cut')) : ask(file))
  const read: number[] = []
  await assert.rejects(async () => {
    for await (const [file] of prefetch(FILES, failing)) read.push(file)
  }, /cut/)
  await sleep(1)
  assert.deepEqual(read, [0, 1])
  assert.deepEqual(log.discarded, [3, 4, 5].slice(0, log.discarded.length))
  assert.ok(log.discarded.length >= 1)
})

test('aborts prefetched requests when the reader stops', async () => {
  const { log, ask } = asker()
  for await (const [file] of prefetch(FILES, ask)) if (file === 0) break
  await sleep(1)
  assert.deepEqual(log.discarded, [1, 2, 3])
})
