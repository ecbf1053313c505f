import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { spreadId } from '../../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import type { Slot } from '../../slot/slot.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { matchRows } from './matched-rows.ts'
import { OpenRows } from './open-rows.ts'

const ROWS = 20_000

/** One run of rows: all in MA, every second one of service type 57, every third for walk-ins, every hundredth in Boston. */
function longRun() {
  const changing = new ChangingIndex()
  const offerings = Array.from({ length: 100 }, (_, n) => ({
    publisher: 'clinic',
    scheduleId: `${n}`,
    isVirtual: false,
    serviceTypeCode: n % 2 === 0 ? '57' : '124',
    ...(n % 3 === 0 && { appointmentType: 'WALKIN' }),
    location: { state: 'MA', city: n === 0 ? 'Boston' : `City ${n}` },
  }))
  const put = Array.from({ length: ROWS }, (_, n): Slot => {
    const [startMs, endMs] = [n * 60_000, (n + 30) * 60_000]
    const times = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString(), startMs, endMs }
    return { id: spreadId(n), status: 'free', ...times, offering: offerings[n % 100] }
  })
  changing.change({ put })
  const open = new OpenRows(changing.content, -1)
  return (filters: Partial<SlotFilters>) =>
    runAtOnce(matchRows(changing.content, open, { status: 'free', startAfterMs: 0, ...filters }))
}

test('keeps no list of rows for no filter, one filter, or filters that are all frequent', () => {
  const find = longRun()
  const weightOfPart = 64
  for (const [filters, count, weight] of [
    [{}, ROWS, 0],
    [{ states: ['MA'] }, ROWS, 0],
    [{ city: 'Boston' }, ROWS / 100, 0],
    // A bit per row.
    [{ serviceTypeCodes: ['57'], appointmentType: 'WALKIN' }, (ROWS / 100) * 17, ROWS / 32],
    [{ city: 'Boston', startBeforeMs: ROWS * 30_000 - 1 }, ROWS / 200, 0],
  ] as const) {
    const matches = find(filters)
    assert.equal(matches.count, count)
    assert.equal(matches.weight, weightOfPart + weight, JSON.stringify(filters))
  }
})

test('finds rows of few offerings only in the time window', () => {
  const find = longRun()
  const startBeforeMs = ROWS * 30_000 - 1
  assert.equal(find({ scheduleId: '6', states: ['MA'] }).count, ROWS / 100)
  assert.equal(find({ scheduleId: '6', states: ['MA'], startBeforeMs }).count, ROWS / 200)
  assert.equal(find({ scheduleId: '6', serviceTypeCodes: ['57'], appointmentType: 'WALKIN', startBeforeMs }).count, 100)
  assert.equal(find({ scheduleId: '7', serviceTypeCodes: ['57'], startBeforeMs }).count, 0)
})
