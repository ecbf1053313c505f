import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_BYTES_MAX, EVENT_SLOTS_MAX, eventBody } from './event-body.ts'

const EVENT = {
  type: 'slots.opened',
  subscriptionId: 'sub_1',
  createdAtMs: 0,
  fromRevision: 1,
  toRevision: 2,
  filters: '',
} as const

function slotsOf(count: number, length: number, status = 'free') {
  const ids = Array.from({ length: count }, (_, n) => String(n).padStart(24, '0'))
  const text = (id: string) => `{"id":"${id}","status":"${status}","text":"${'ü'.repeat(length)}"}`
  return { ids, known: { store: 3, slots: new Map(ids.map((id) => [id, text(id)])) } }
}

test('has all ids and as many of the first slots as fit into 64 KiB', () => {
  for (const length of [1, 700, 2000, 40_000]) {
    const { ids, known } = slotsOf(1000, length)
    const text = eventBody({ ...EVENT, total: 1000, ids }, 'https://slots.example', known)
    assert.ok(Buffer.byteLength(text) <= EVENT_BYTES_MAX, String(length))
    const { data } = JSON.parse(text)
    assert.deepEqual(data.ids, ids)
    const fitting = Math.floor((EVENT_BYTES_MAX - 28_000) / (2 * length + 70))
    assert.ok(data.slots.length >= Math.min(EVENT_SLOTS_MAX, fitting), String(length))
  }
})

test('leaves out slots that are no longer free from slots.opened only', () => {
  const { ids, known } = slotsOf(2, 1, 'busy')
  const slots = (type: 'slots.opened' | 'slots.closed') =>
    JSON.parse(eventBody({ ...EVENT, type, total: 2, ids }, '', known)).data.slots.length
  assert.deepEqual([slots('slots.opened'), slots('slots.closed')], [0, 2])
})

test('has only the number of very many slots, and the link', () => {
  const { ids, known } = slotsOf(1000, 1)
  const { data } = JSON.parse(eventBody({ ...EVENT, total: 1001, ids }, 'https://slots.example', known))
  assert.deepEqual(data, {
    subscriptionId: 'sub_1',
    revision: '3.2',
    total: 1001,
    ids: [],
    slots: [],
    changes: 'https://slots.example/v1/scheduling/changes?since=3.1',
  })
})
