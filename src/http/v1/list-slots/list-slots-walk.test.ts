import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { type Answer, ask, index, NOW_MS, SLOTS, sampleSlots } from '../../../../test/support/http/sample-server.ts'
import type { Slot } from '../../../slot/slot.ts'

const next = ({ headers }: Answer) => /<https:\/\/slots\.example([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]

test('links to the next page by cursor for an empty cursor, and to none at the end', async () => {
  const first = await ask(`${SLOTS}?state=MA&limit=10&cursor=`)
  const base = `<https://slots.example${SLOTS}?state=MA&limit=10&cursor=`
  assert.match(
    String(first.headers.link),
    new RegExp(
      `^${base.replaceAll('?', '\\?')}>; rel="first", ${base.replaceAll('?', '\\?')}[\\w-]{20,}>; rel="next"$`,
    ),
  )
  assert.equal(first.json.total, 29)
  const last = await ask(`${SLOTS}?state=MA&limit=100&cursor=`)
  assert.equal(last.headers.link, `<https://slots.example${SLOTS}?state=MA&limit=100&cursor=>; rel="first"`)
})

test('follows cursors through every slot once while earlier slots are added and removed', async () => {
  const seen: string[] = []
  let count = 60
  for (let path: string | undefined = `${SLOTS}?c%69ty=boston&c%75rsor=&limit=7`; path !== undefined; ) {
    const answer: Answer = await ask(path)
    assert.equal(answer.status, 200)
    seen.push(...answer.json.slots.map((slot: Slot) => slot.id))
    path = next(answer)
    // The first slots go, one page after the other.
    const left = sampleSlots(60).slice(60 - --count)
    fillIndex(index, left, { revision: 100 - count, nowMs: NOW_MS })
  }
  const expected = sampleSlots(60).filter(({ offering, endMs }) => offering.location && endMs > NOW_MS)
  assert.deepEqual(
    seen,
    expected.map(({ id }) => id),
  )
  fillIndex(index, sampleSlots(60), { revision: 200, nowMs: NOW_MS })
})

test('reports the next matching slot outside an empty time window', async () => {
  const window = 'startAfter=2027-01-01T00:00:00Z'
  const empty = await ask(`${SLOTS}?state=CA&${window}`)
  assert.equal(empty.json.total, 0)
  assert.equal(empty.headers['next-available-start'], '2026-06-01T12:00:00.000Z')
  const before = await ask(`${SLOTS}?state=MA&startBefore=2026-01-01T00:00:00Z`)
  assert.equal(before.headers['next-available-start'], '2026-06-01T13:00:00.000Z')
  const none = await ask(`${SLOTS}?state=TX&${window}`)
  assert.equal(none.headers['next-available-start'], undefined)
  for (const search of ['state=TX', 'offset=1000', 'startAfter=2026-01-01T00:00:00Z&offset=1000'])
    assert.equal((await ask(`${SLOTS}?${search}`)).headers['next-available-start'], undefined, search)
})

test('returns 400 for a cursor of another list, an invalid cursor and a cursor with an offset', async () => {
  const path = next(await ask(`${SLOTS}?limit=10&cursor=`)) ?? ''
  for (const wrong of [`${path}&state=MA`, `${path}x`, `${path}&offset=0`, `${SLOTS}?cursor=x`]) {
    const { status, json } = await ask(wrong)
    assert.deepEqual([status, json.parameter], [400, 'cursor'], wrong)
  }
  assert.equal((await ask(path.replace('limit=10', 'limit=20'))).json.slots.length, 20)
})
