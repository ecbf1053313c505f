import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import type { RowKey } from '../runs/run.ts'
import { ranksNear, SKIP_MAX } from './rank-selection.ts'

/** A sequence of ascending numbers below 2^30, which are the first words of ids: all rows have few starts. */
function sequenceOf(numbers: readonly number[]) {
  const startOf = (number: number) => Math.floor(number / 4096)
  return {
    numbers,
    count: numbers.length,
    keyOf: (n: number) => ({ startMs: startOf(numbers[n]), idBits: Uint32Array.of(numbers[n], 0, 0, 0) }),
    rankOf: ({ startMs, idBits }: RowKey) =>
      numbers.filter((number) =>
        startOf(number) === startMs && idBits !== undefined ? number < idBits[0] : startOf(number) < startMs,
      ).length,
  }
}

/** Distinct numbers in sequences of different lengths, evenly spread or in clusters. */
const sequences = fc
  .record({
    spread: fc.constantFrom(1, 50, 100_000),
    picks: fc.uniqueArray(fc.nat(3000), { minLength: 1, maxLength: 600 }),
    owners: fc.array(fc.nat(9), { minLength: 1, maxLength: 40 }),
  })
  .map(({ spread, picks, owners }) => {
    const numbers = picks.map((pick) => Math.floor(pick / 100) * spread * 100 + (pick % 100)).sort((a, b) => a - b)
    const parts: number[][] = Array.from({ length: 10 }, () => [])
    for (const [n, number] of numbers.entries()) parts[owners[n % owners.length]].push(number)
    return parts.filter(({ length }) => length > 0).map(sequenceOf)
  })

test('finds ranks of one key in all sequences, that so many matches come before, or a few fewer', () => {
  const property = fc.property(sequences, fc.nat(), (sequences, at) => {
    const count = sequences.reduce((sum, each) => sum + each.count, 0)
    const from = at % (count + 1)
    const ranks = ranksNear(sequences, from)
    const before = sequences.flatMap(({ numbers }, n) => numbers.slice(0, ranks[n]))
    const rest = sequences.flatMap(({ numbers }, n) => numbers.slice(ranks[n]))
    assert.ok(before.length <= from && from - before.length <= Math.max(SKIP_MAX, sequences.length))
    assert.ok(Math.max(...before) < Math.min(...rest), 'a cut through all sequences')
  })
  fc.assert(property, { numRuns: casesOf(2000) })
})

test('reads few keys of sequences that are spread alike', () => {
  const numbers = Array.from({ length: 100_000 }, (_, n) => n * 7)
  let read = 0
  const parts = [1, 4, 16].map((share) => {
    const sequence = sequenceOf(numbers.filter((_, n) => n % 21 > share))
    const keyOf = (n: number) => {
      read++
      return sequence.keyOf(n)
    }
    return { ...sequence, keyOf }
  })
  for (let from = 0; from < 100_000; from += 10_000) ranksNear(parts, from)
  assert.ok(read <= 60, `read ${read}`)
})
