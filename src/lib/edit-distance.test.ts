import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestWord, editDistance } from './edit-distance.ts'

test('counts edits between words', () => {
  for (const [from, to, edits] of [
    ['', '', 0],
    ['', 'ab', 2],
    ['key', 'keys', 1],
    ['sycn', 'sync', 1],
    ['kitten', 'sitting', 3],
  ] as const) {
    assert.equal(editDistance(from, to), edits)
    assert.equal(editDistance(to, from), edits)
  }
})

test('guesses the closest word by at most two edits, and one for each three characters', () => {
  const words = ['free', 'busy', 'busy-tentative', 'MA', 'Massachusetts']
  for (const [written, meant] of [
    ['fre', 'free'],
    [' FREE ', 'free'],
    ['busy-tenative', 'busy-tentative'],
    ['Masachusets', 'Massachusetts'],
    ['fe', undefined],
    ['MB', undefined],
    ['Massachu', undefined],
    ['x'.repeat(100_000), undefined],
  ] as const)
    assert.equal(closestWord(written, words), meant, written)
})
