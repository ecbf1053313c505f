import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import {
  compareRows,
  hasTerm,
  rowText,
  SAMPLE_GROUPS,
  type SampleRow,
  sampleRow,
  sampleRows,
  sampleWriter,
} from '../../../test/support/slot-index/run-samples.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { identifierNamesOf } from '../../slot/filter-values.ts'
import { encodeSlot } from '../../slot/slot.ts'
import { idBitsOf } from '../slot-ids.ts'
import { buildRun, type SortedRows } from './build-run.ts'
import { mergeRows } from './merge-rows.ts'
import { RowPacker } from './pack-rows.ts'
import { formOf, ODD_FORM } from './row-record.ts'
import { RowSubset } from './row-subset.ts'
import { Run } from './run.ts'
import { SlotTexts } from './slot-texts.ts'

const TERM_CHOICES = [undefined, 0, 1, 2, 3, 7, 9]

test('writes each row exactly as it was packed, also from the memory of another thread', () => {
  fc.assert(
    fc.property(sampleRows, (rows) => {
      const texts = new SlotTexts()
      const run = builtRun(rows, texts)
      const sorted = rows.toSorted(compareRows)
      for (const each of [run, new Run(run.memory)]) {
        assert.deepEqual(textsOf(each, texts), sorted.map(rowText))
        for (const [row, { slot, offering }] of sorted.entries()) {
          const found = [each.idOf(row), each.startMsOf(row), each.endMsOf(row), each.offeringOf(row)]
          assert.deepEqual(found, [slot.id, slot.startMs, slot.endMs, offering])
          assert.equal(each.find(idBitsOf(slot.id)), row)
          assert.equal(each.rankOf({ startMs: slot.startMs, idBits: idBitsOf(slot.id) }), row)
          assert.equal(each.rankOf({ startMs: slot.startMs }), firstAt(sorted, slot.startMs))
          assert.ok(slot.endMs - slot.startMs <= each.longestMs)
        }
        assert.equal(each.find(idBitsOf('0'.repeat(24))), -1)
      }
    }),
    { numRuns: casesOf(60) },
  )
})

function firstAt(sorted: readonly SampleRow[], startMs: number): number {
  return sorted.findIndex(({ slot }) => slot.startMs >= startMs)
}

test('stores as text only what no form describes', () => {
  const [{ slot }] = fc.sample(sampleRow, { numRuns: 1, seed: 1 })
  const [start, end] = ['2026-11-22T09:00:00-05:00', '2026-11-22T09:30:00-05:00']
  const startMs = Date.parse(start)
  const usual = { id: slot.id, status: slot.status, offering: slot.offering, start, end, startMs }
  const formIn = (changes: object) => {
    const changed = { ...usual, endMs: startMs + 30 * MINUTE_MS, ...changes }
    const { records } = builtRun([{ slot: changed, offering: 0 }], new SlotTexts()).parts
    return formOf(records, 0)
  }
  for (const regular of [
    {},
    { capacity: 3, bookingDeepLink: 'https://a.example/?slot=1' },
    { identifier: [{ value: 'a"b☂' }] },
    { start: '2026-11-22T19:45+05:45' },
  ])
    assert.notEqual(formIn(regular), ODD_FORM, JSON.stringify(regular))
  for (const odd of [
    { startMs: startMs + 1, start: '2026-11-22T09:00:00.001-05:00' },
    { bookingDeepLink: `https://a.example/${'x'.repeat(85)}` },
    { capacity: 1e21 },
    { identifier: [{ value: 'x'.repeat(22_000) }] },
    { endMs: startMs + 65_536 * MINUTE_MS, end: new Date(startMs + 65_536 * MINUTE_MS).toISOString() },
  ])
    assert.equal(formIn(odd), ODD_FORM, JSON.stringify(odd).slice(0, 80))
})

test('writes rows as they were when there are more forms than numbers', () => {
  const texts = new SlotTexts()
  const [{ slot }] = fc.sample(sampleRow, { numRuns: 1, seed: 1 })
  const { bookingDeepLink: _, identifier: __, ...plain } = slot
  const times = { start: '2026-11-22T09:00Z', end: '2026-11-22T09:30Z', startMs: Date.UTC(2026, 10, 22, 9) }
  const rows = Array.from({ length: 300 }, (_, n): SampleRow => {
    const own = { id: n.toString(32).padStart(24, '0'), ...times, endMs: times.startMs + 30 * MINUTE_MS, capacity: n }
    return { slot: { ...plain, ...own }, offering: 0 }
  })
  assert.deepEqual(textsOf(builtRun(rows, texts), texts), rows.map(rowText))
  assert.equal(texts.forms.length, ODD_FORM)
})

test('writes links as they were when there are more prefixes than numbers', () => {
  const texts = new SlotTexts()
  const [{ slot }] = fc.sample(sampleRow, { numRuns: 1, seed: 1 })
  const times = { start: '2026-11-22T09:00Z', end: '2026-11-22T09:30Z', startMs: Date.UTC(2026, 10, 22, 9) }
  const { capacity: _, identifier: __, ...plain } = slot
  const usual = { ...plain, ...times, endMs: times.startMs + 30 * MINUTE_MS }
  const linked = (n: number) => ({ ...usual, bookingDeepLink: `https://a.example/${n}/x` })
  for (let n = 0; n < 65_600; n++) texts.pack(encodeSlot(linked(n)), usual.startMs, usual.endMs)
  assert.equal(texts.prefixes.length, 65_536)
  for (const n of [0, 65_533, 65_534, 65_599, 70_000]) {
    const row = { slot: linked(n), offering: 0 }
    assert.deepEqual(textsOf(builtRun([row], texts), texts), [rowText(row)])
  }
})

test('merging leaves out deleted rows and changes no text', () => {
  const part = fc.tuple(sampleRows, fc.nat(20), fc.array(fc.nat(99)))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), (shapes, rowsMax) => {
      const texts = new SlotTexts()
      const seen = new Set<string>()
      const left: SampleRow[] = []
      const parts = shapes.map(([rows, from, deleted]) => {
        const own = rows.filter(({ slot }) => !seen.has(slot.id)).toSorted(compareRows)
        for (const { slot } of own) seen.add(slot.id)
        const run = builtRun(own, texts)
        const gone = [...new Set(deleted)].filter((row) => row < own.length).sort((a, b) => a - b)
        left.push(...own.filter((_, row) => row >= from && !gone.includes(row)))
        const subset = RowSubset.of(run, Uint16Array.from(gone), SAMPLE_GROUPS)
        return { block: run.parts, from: Math.min(from, own.length), to: own.length, gone: subset }
      })
      const runs = [...mergeRows(parts, texts.forms, rowsMax)].map((rows) => buildRun(rows, SAMPLE_GROUPS, texts.forms))
      assert.deepEqual(
        runs.flatMap((run) => textsOf(run, texts)),
        left.toSorted(compareRows).map(rowText),
      )
      const lengths = runs.map(({ length }) => length)
      assert.ok(lengths.every((length) => length <= rowsMax))
      assert.ok(Math.max(0, ...lengths) - Math.min(...lengths, rowsMax) <= 1 || lengths.length < 2)
    }),
    { numRuns: casesOf(60) },
  )
})

test('finds the rows of an identifier, also from the memory of another thread', () => {
  fc.assert(
    fc.property(sampleRows, (rows) => {
      const run = builtRun(rows, new SlotTexts())
      const named = rows.toSorted(compareRows).map(({ slot }) => identifierNamesOf(slot.identifier ?? []))
      for (const each of [run, new Run(run.memory)]) {
        for (const name of new Set(['a|b', ...named.flat()])) {
          const expected = [...named.keys()].filter((row) => named[row].includes(name))
          assert.deepEqual([...each.rowsWith(name)], expected)
        }
      }
    }),
    { numRuns: casesOf(60) },
  )
})

test('counts the rows of a term in a subset as a scan does', () => {
  fc.assert(
    fc.property(sampleRows, fc.array(fc.nat(99)), fc.nat(100), fc.nat(100), (rows, chosen, from, to) => {
      const sorted = rows.toSorted(compareRows)
      const run = builtRun(rows, new SlotTexts())
      const members = [...new Set(chosen)].filter((row) => row < rows.length).sort((a, b) => a - b)
      const subset = RowSubset.of(run, Uint16Array.from(members), SAMPLE_GROUPS)
      for (const each of [subset, new RowSubset(subset.memory)]) {
        assert.deepEqual([...each.rows], members)
        for (const row of sorted.keys()) assert.equal(each.has(row), members.includes(row))
        for (const term of TERM_CHOICES) {
          const expected = members.filter((row) => row >= from && row < to && hasTerm(sorted[row], term))
          assert.equal(each.count(term, from, Math.max(from, to)), expected.length)
        }
      }
    }),
    { numRuns: casesOf(60) },
  )
})

function builtRun(rows: readonly SampleRow[], texts: SlotTexts): Run {
  return buildRun(packed(rows, texts), SAMPLE_GROUPS, texts.forms)
}

function packed(rows: readonly SampleRow[], texts: SlotTexts): SortedRows {
  const packer = new RowPacker(texts)
  for (const { slot, offering } of rows) {
    packer.add({ startMs: slot.startMs, endMs: slot.endMs, json: encodeSlot(slot) }, offering)
  }
  return packer.take()
}

function textsOf(run: Run, texts: SlotTexts): string[] {
  const writer = sampleWriter(texts)
  return Array.from({ length: run.length }, (_, row) => writer.textOf(run, row))
}
