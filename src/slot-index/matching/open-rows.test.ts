import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OFFERINGS } from '../../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { IndexBuilder, type SlotEntry } from '../index-builder.ts'
import { OpenRows } from './open-rows.ts'
import { RunningRowsCache } from './running-rows.ts'

const BEGIN_MS = Date.UTC(2026, 10, 26)

/** A slot of a quarter of an hour that starts after so many quarters. */
function slotAt(quarter: number): SlotEntry {
  const id = String(quarter).padStart(24, '0')
  const [startMs, endMs] = [quarter, quarter + 1].map((quarters) => BEGIN_MS + quarters * 15 * MINUTE_MS)
  const [start, end] = [startMs, endMs].map((ms) => new Date(ms).toISOString())
  return {
    status: 'free',
    startMs,
    endMs,
    offeringId: 1,
    json: `{"id":"${id}","status":"free","start":"${start}","end":"${end}"`,
  }
}

test('makes the lists of running rows again only when one starts or ends, not when slots change', () => {
  const builder = new IndexBuilder()
  const change = (whole: boolean, added: readonly SlotEntry[], removed: readonly number[]) => {
    builder.begin(whole)
    if (whole) builder.putOfferings([{ id: 1, offering: OFFERINGS[0] }])
    builder.remove(
      removed.map((quarter) => ({ id: String(quarter).padStart(24, '0'), startMs: slotAt(quarter).startMs })),
    )
    builder.put(added)
    return runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 0 }))
  }
  const cache = new RunningRowsCache()
  const openAt = (content: ReturnType<typeof change>, quarters: number) => {
    const open = new OpenRows(content, BEGIN_MS + quarters * 15 * MINUTE_MS, cache)
    return { count: open.count, running: [...open.running.values()][0] }
  }
  const all = change(true, [0, 1, 2, 3].map(slotAt), [])
  const before = openAt(all, 1.2)
  assert.deepEqual([before.count, [...before.running.rows.rows], before.running.gone], [3, [1], undefined])

  const after = openAt(change(false, [slotAt(9)], [1, 3]), 1.8)
  assert.equal(after.running.rows, before.running.rows)
  assert.deepEqual([after.count, [...(after.running.gone?.rows ?? [])]], [2, [1]])

  assert.deepEqual([...openAt(all, 2).running.rows.rows], [2])
})
