import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../test/support/fill-index.ts'
import { withoutErrorLinks } from '../../test/support/http/error-links.ts'
import { ask, index, KEY, keyRing, NOW_MS, queue, SLOTS, sampleSlots } from '../../test/support/http/sample-server.ts'
import { CsvDownloads } from '../http/explore/csv-downloads.ts'
import { FAIR_LIMITS, FairQueue } from '../http/fair-queue.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { HealthView } from '../shared/contract/operator.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { type OperationQuery, type QueryContext, respondToQuery } from './node-queries.ts'
import { NodeWatch } from './node-telemetry.ts'

const errors: unknown[] = []

const by = { id: 'ada', organizationId: 'ada' }

async function answer(query: NodeQuery, changes: Partial<QueryContext> = {}, signal?: AbortSignal) {
  const watch = new NodeWatch()
  try {
    const node = {
      index,
      keyRing,
      watch,
      sources: new KnownSources(),
      queue,
      downloads: new CsvDownloads(),
      isReady: () => true,
      memory: { maxBytes: 5 * 2 ** 30 },
      now: () => NOW_MS,
      baseUrl: 'https://slots.example',
      operate: async ({ target }: OperationQuery) => ({
        status: 200,
        headers: [],
        body: new TextEncoder().encode(target),
      }),
      onError: (error: unknown) => errors.push(error),
    }
    const { status, headers, body } = await respondToQuery(query, { ...node, ...changes }, signal)
    return { status, headers: Object.fromEntries(headers), text: new TextDecoder().decode(body) }
  } finally {
    watch.stop()
  }
}

test('answers slots as /v1 does: page, links and invalid parameters', async () => {
  for (const search of [
    '',
    'state=MA&limit=3&offset=3',
    'offset=9007199254740991',
    'limit=0',
    'colour=red',
    'city=%ff',
  ]) {
    const served = await ask(`${SLOTS}?${search}`)
    const { status, headers, text } = await answer({ about: 'slots', search, by })
    assert.deepEqual(
      [status, JSON.parse(text), headers.link],
      [served.status, withoutErrorLinks(served.text), served.headers.link],
      search,
    )
    assert.equal(headers['content-type'], 'application/json')
  }
})

test('answers a CSV file as /v1 does, and refuses pages', async () => {
  const served = await ask(`${SLOTS}?state=MA`, { authorization: `Bearer ${KEY}`, accept: 'text/csv' })
  const { status, text } = await answer({ about: 'csv', search: 'state=MA', coding: undefined, by })
  assert.deepEqual([status, text], [200, served.text])
  const refused = await answer({ about: 'csv', search: 'limit=1', coding: undefined, by })
  assert.deepEqual([refused.status, JSON.parse(refused.text).parameter], [400, 'limit'])
})

test('suggests values of a filter', async () => {
  const { status, text } = await answer({ about: 'suggestions', search: 'filter=serviceTypeCode&state=CA', by })
  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text), { values: [{ value: '57', count: 30 }], hasMore: false, isPartial: false })
  const refused = await answer({ about: 'suggestions', search: 'filter=identifier', by })
  assert.deepEqual([refused.status, JSON.parse(refused.text).parameter], [400, 'filter'])
})

test('answers days, and rejects invalid parameters', async () => {
  const days = await answer({ about: 'days', search: 'state=MA&zone=UTC', by })
  assert.equal(days.status, 200)
  const { states, total } = JSON.parse(days.text)
  assert.deepEqual([states.length, states[0].state, total], [1, 'MA', 29])
  const wrong = await answer({ about: 'days', search: 'zone=Nowhere', by })
  assert.deepEqual([wrong.status, JSON.parse(wrong.text).parameter], [400, 'zone'])
})

test('counts the open slots of each publisher, in all and by state', async () => {
  const { status, text } = await answer({ about: 'open-slots' })
  assert.equal(status, 200)
  const counts = Object.values(JSON.parse(text)) as { all: number; byState: Record<string, number> }[]
  const { total } = JSON.parse((await answer({ about: 'slots', search: '', by })).text)
  const inState = JSON.parse((await answer({ about: 'slots', search: 'state=MA', by })).text).total
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((all, each) => all + of(each), 0)
  assert.deepEqual([sum(({ all }) => all), sum(({ byState }) => byState.MA ?? 0)], [total, inState])
})

test('is not ready before the slots are loaded, but reports its health', async () => {
  const isReady = () => false
  for (const about of ['slots', 'days'] as const) {
    const { status, headers } = await answer({ about, search: '', by }, { isReady })
    assert.deepEqual([status, headers['retry-after']], [503, '1'])
  }
  const health = JSON.parse((await answer({ about: 'health' }, { isReady })).text) as HealthView
  assert.equal(health.ready, false)
})

test('reports the contents and the health of the node', async () => {
  const few = new SlotIndex()
  fillIndex(few, sampleSlots(7), { nowMs: NOW_MS })
  const { status, text } = await answer({ about: 'health' }, { index: few })
  const health = JSON.parse(text) as HealthView
  assert.equal(status, 200)
  assert.deepEqual([health.ready, health.slots, health.keys], [true, 7, 2])
  assert.equal(health.nodeVersion, process.version)
  assert.deepEqual([health.memory.maxBytes, health.memory.missingSlots], [5 * 2 ** 30, 0])
  assert.ok(health.memory.rssBytes > health.memory.heapBytes && health.memory.heapBytes > 0)
  assert.ok(health.eventLoop.p50Ms >= 0 && health.eventLoop.p99Ms >= health.eventLoop.p50Ms)
})

test('a query that nobody waits for any more leaves the queue without an error', async () => {
  const busy = new FairQueue({ ...FAIR_LIMITS, turnMs: 0, turnMsMax: 0 })
  const closed = new AbortController()
  const waiting = ['slots', 'days'].map((about) =>
    answer({ about: about as 'slots' | 'days', search: 'scheduleId=a', by }, { queue: busy }, closed.signal),
  )
  assert.equal(busy.size, 2)
  closed.abort()
  assert.deepEqual([busy.size, (await Promise.all(waiting)).map(({ status }) => status)], [0, [503, 503]])
  assert.deepEqual(errors, [])
})

test('forwards operations', async () => {
  const target = '/v1/scheduling/facets?state=MA'
  assert.equal((await answer({ about: 'operation', target, by })).text, target)
})

test('reports an internal error and responds 500 without details', async () => {
  const now = () => {
    throw new Error('secret')
  }
  const { status, text } = await answer({ about: 'slots', search: '', by }, { now })
  assert.equal(status, 500)
  assert.doesNotMatch(text, /secret/)
  assert.match(String(errors.pop()), /secret/)
})
