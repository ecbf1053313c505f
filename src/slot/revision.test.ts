import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatRevision, parseRevision, type Revision } from './revision.ts'

const number = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 36 ** 10 - 1 }))
const plain = { noNullPrototype: true }
const commit = fc.record({ store: number, revision: number }, plain)
const within = fc.record({ phase: fc.constantFrom('deleted' as const, 'inserted' as const), key: number }, plain)
const revisions: fc.Arbitrary<Revision> = fc.oneof(
  commit,
  fc.tuple(commit, within).map(([commit, within]) => ({ ...commit, within })),
)

test('every revision round-trips through URL-safe text', () => {
  const property = fc.property(revisions, (revision) => {
    const text = formatRevision(revision)
    assert.match(text, /^[0-9a-z.]{3,33}$/)
    assert.deepEqual(parseRevision(text), revision)
  })
  fc.assert(property, { numRuns: 1000 })
})

test('distinct revisions have distinct texts', () => {
  const property = fc.property(revisions, revisions, (one, other) => {
    fc.pre(JSON.stringify(one) !== JSON.stringify(other))
    assert.notEqual(formatRevision(one), formatRevision(other))
  })
  fc.assert(property, { numRuns: 1000 })
})

test('rejects any other text as a revision', () => {
  for (const text of [
    '',
    '.',
    '1',
    '1.',
    '.1',
    '1.2.',
    '1.2.3',
    '1.2.b',
    '1.2.x3',
    '1.2.b3.4',
    '1.2.d3 ',
    '01.2',
    '1.02',
    '1.2.d03',
    'A.1',
    '-1.2',
    '1.-2',
    'zzzzzzzzzzz.1',
    '1.zzzzzzzzzzz',
    '1.2.bzzzzzzzzzzz',
    `1.${(36 ** 10).toString(36)}`,
    `1.2.b${(36 ** 10).toString(36)}`,
    '1.2.0',
    '1.2\n',
    '１.2',
  ]) {
    assert.equal(parseRevision(text), undefined, JSON.stringify(text))
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = parseRevision(text)
      assert.ok(read === undefined || formatRevision(read) === text)
    }),
  )
})
