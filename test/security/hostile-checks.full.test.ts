import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { manifest, Publisher } from '../support/feeds/publisher.ts'
import { RunningService } from '../support/running-service.ts'
import { Visitor } from '../support/visitor.ts'

/** The largest manifest that is read, of objects that take a hundred times as much memory as their text. */
const MANIFEST = `{"transactionTime":"2026-03-01T00:00:00Z","output":[{"type":"Slot","url":"/s","extension":[${'{},'.repeat(2 ** 24 / 3 - 100)}{}]}]}`

/** Lines of the greatest length, each with many small objects. */
const LINE = `{"resourceType":"Schedule","id":"1","actor":[${'{},'.repeat(2 ** 20 / 3 - 100)}{}]}\n`

test('the dashboard answers while operators check hostile manifests and feeds of the greatest size', async (t) => {
  await using publisher = await Publisher.open({
    '/manifest': MANIFEST,
    '/feed': manifest({ '/schedules': 'Schedule' }),
    '/schedules': LINE.repeat(60),
  })
  await using service = await RunningService.prepare()
  Object.assign(service.env, { SYNC_HEAP_MB: '64', LOG_LEVEL: 'fatal' })
  await service.serve()
  const operator = await Visitor.signUp(service, 'olive@example.org')
  const link = await service.setupLink()
  await operator.json('POST', '/api/setup', { token: link.slice(link.indexOf('#') + 1) })

  let isOver = false
  const times: number[] = []
  const asking = (async () => {
    while (!isOver) {
      const startedMs = performance.now()
      assert.equal((await fetch(`${service.origin}/api/options`)).status, 200)
      times.push(performance.now() - startedMs)
      await pause(5)
    }
  })()
  const started = await operator.json('POST', '/api/operator/checks', { url: `${publisher.origin}/feed` })
  for (let n = 0; n < 3; n++) {
    const url = `${publisher.origin}/manifest`
    const { status } = await operator.ask('POST', '/api/operator/sources/check', { url })
    // 409: the other check takes all room.
    assert.ok(status === 200 || status === 409, String(status))
  }
  const state = async () => {
    const path = `/api/operator/checks/${started.id}`
    return (await (await operator.ask('GET', path)).json()).state
  }
  while ((await state()) === 'running') await pause(100)
  const check = await operator.json('POST', '/api/operator/sources/check', { url: `${publisher.origin}/manifest` })
  isOver = true
  await asking
  assert.match(check.message, /the check ran out of memory/)
  times.sort((a, b) => a - b)
  t.diagnostic(
    `${times.length} requests beside the checks: p50 ${times[times.length >> 1].toFixed(1)} ms, longest ${times.at(-1)?.toFixed(1)} ms`,
  )
})
