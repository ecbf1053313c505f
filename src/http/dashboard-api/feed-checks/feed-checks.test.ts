import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import type { CheckReport } from '../../../shared/contract/feed-checks.ts'
import { FeedChecks, type RunCheck } from './feed-checks.ts'

const URL_OF_FEED = 'https://publisher.example/$bulk-publish'
const PATH = '/api/operator/checks'

const REPORT: CheckReport = {
  feed: 'x',
  checkedAtMs: 0,
  durationMs: 1,
  strict: false,
  evidence: [],
  counts: { error: 0, warning: 0, hint: 0 },
  findings: [],
  lines: { slots: 0, served: 0, rejected: 0, withheld: 0, superseded: 0, directory: 0, directoryRejected: 0 },
  served: {
    slots: 0,
    byStatus: { free: 0, busy: 0, 'busy-unavailable': 0, 'busy-tentative': 0 },
    byState: {},
    stateless: 0,
    inPerson: 0,
    virtual: 0,
    both: 0,
    ended: 0,
    schedules: 0,
  },
  samples: [],
  files: [],
  fileCount: 0,
}

/** A check that ends on demand with its report. */
class Held {
  readonly asked: { url: string; strict: boolean }[] = []
  readonly #ends: ((report: CheckReport) => void)[] = []
  readonly run: RunCheck = (wish, signal, onProgress) => {
    this.asked.push(wish)
    onProgress({ reading: 1, readings: 2, name: 'a', lines: 3, bytes: 4, errors: 0 })
    return new Promise((resolve) => {
      this.#ends.push(resolve)
      signal.addEventListener('abort', () => resolve({ ...REPORT, stopped: signal.reason.message }))
    })
  }

  end(): void {
    this.#ends.shift()?.(REPORT)
  }
}

async function harnessOf(
  t: Parameters<typeof DashboardApiHarness.open>[0],
  run: RunCheck,
  { now = () => 0, hasRoom = () => true }: { now?: () => number; hasRoom?: () => boolean } = {},
) {
  const feedChecks = new FeedChecks(run, now, hasRoom)
  const harness = await DashboardApiHarness.open(t, { feedChecks })
  for (let n = 0; n < 2; n++) await harness.addPerson(`op${n}`, { operator: true })
  const start = (as: string, body: object = { url: URL_OF_FEED }) => harness.ask('POST', PATH, { as, body })
  return { harness, feedChecks, start }
}

test('an operator starts a check, sees its progress and then its report', async (t) => {
  const held = new Held()
  const { harness, start } = await harnessOf(t, held.run)
  const { status, body } = await start('op0', { url: URL_OF_FEED, strict: true })
  assert.equal(status, 200)
  assert.deepEqual(
    held.asked.map(({ url, strict }) => [url, strict]),
    [[URL_OF_FEED, true]],
  )
  const seen = await harness.get('GET', `${PATH}/${body.id}`, { as: 'op0' })
  assert.deepEqual([seen.state, seen.progress.lines, seen.report], ['running', 3, undefined])
  held.end()
  await sleep(0)
  const done = await harness.get('GET', `${PATH}/${body.id}`, { as: 'op0' })
  assert.deepEqual([done.state, done.report], ['done', REPORT])
})

test('each operator can run one check at a time, and none while the node has no room', async (t) => {
  const held = new Held()
  let hasRoom = true
  const { start } = await harnessOf(t, held.run, { hasRoom: () => hasRoom })
  assert.equal((await start('op0')).status, 200)
  const again = await start('op0')
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
  assert.match(again.body.detail, /You are checking https:\/\/publisher\.example/)
  hasRoom = false
  const full = await start('op1')
  assert.deepEqual([full.status, full.body.code], [409, 'conflict'])
  assert.match(full.body.detail, /as its memory allows/)
  hasRoom = true
  assert.equal((await start('op1')).status, 200)
  held.end()
  await sleep(0)
  assert.equal((await start('op0')).status, 200)
})

test('a stopped check keeps its partial report, and shutdown stops running checks', async (t) => {
  const { harness, feedChecks, start } = await harnessOf(t, new Held().run)
  const { id } = (await start('op0')).body
  assert.equal((await harness.ask('DELETE', `${PATH}/${id}`, { as: 'op0' })).status, 204)
  await sleep(0)
  const stopped = await harness.get('GET', `${PATH}/${id}`, { as: 'op0' })
  assert.deepEqual([stopped.state, stopped.report.stopped], ['done', 'it was stopped'])
  await start('op1')
  await feedChecks.close()
})

test('a check is visible only to the operator who started it', async (t) => {
  const { harness, start } = await harnessOf(t, new Held().run)
  await harness.addPerson('ada')
  const { id } = (await start('op0')).body
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await harness.ask(method, `${PATH}/${id}`, { as: 'op1' })).status, 404)
    assert.equal((await harness.ask(method, `${PATH}/${id}`, { as: 'ada' })).status, 403)
    assert.equal((await harness.ask(method, `${PATH}/${id}`)).status, 401)
  }
  assert.equal((await start('ada')).status, 403)
})

test('rejects an invalid feed URL', async (t) => {
  const { start } = await harnessOf(t, new Held().run)
  for (const body of [
    {},
    { url: 5 },
    { url: 'ftp://a/' },
    { url: 'x' },
    { url: URL_OF_FEED, strict: 'yes' },
    { url: URL_OF_FEED, a: 1 },
  ])
    assert.equal((await start('op0', body)).status, 400, JSON.stringify(body))
})

test('checks a source with its request options without revealing them', async (t) => {
  const held = new Held()
  const { harness, start } = await harnessOf(t, held.run)
  const headers = { 'x-api-key': '$' + '{SOURCE_MIDTOWN_KEY}' }
  const source = { slug: 'midtown', url: URL_OF_FEED, strict: true, options: { headers } }
  await harness.store.sources.add(source)
  await harness.store.sources.add({ ...source, slug: 'searched', format: 'fhir-search', options: {} })
  const { status, body } = await start('op0', { source: 'midtown' })
  assert.equal(status, 200)
  assert.deepEqual([body.url, body.source, body.strict], [URL_OF_FEED, 'midtown', true])
  assert.doesNotMatch(JSON.stringify(body), /SOURCE_MIDTOWN_KEY/)
  const [wish] = held.asked as { source?: { options: object } }[]
  assert.deepEqual(wish?.source?.options, { headers })
  assert.equal((await start('op1', { source: 'gone' })).status, 404)
  assert.match((await start('op1', { source: 'searched' })).body.detail, /publishes no manifest/)
  for (const both of [{ source: 'midtown', url: URL_OF_FEED }, { source: 5 }])
    assert.equal((await start('op1', both)).status, 400)
})

test('reports why a check failed and deletes reports after an hour', async (t) => {
  let nowMs = 0
  const failing: RunCheck = async () => {
    throw new Error('it took too much memory')
  }
  const { harness, start } = await harnessOf(t, failing, { now: () => nowMs })
  const { id } = (await start('op0')).body
  await sleep(0)
  const failed = await harness.get('GET', `${PATH}/${id}`, { as: 'op0' })
  assert.deepEqual([failed.state, failed.message], ['failed', 'it took too much memory'])
  nowMs = 3_600_001
  await start('op1')
  assert.equal((await harness.ask('GET', `${PATH}/${id}`, { as: 'op0' })).status, 404)
})
