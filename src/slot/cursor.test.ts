import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatCursor, type Position, parseCursor } from './cursor.ts'
import { shortHash } from './ids.ts'
import { InvalidParameter } from './query-parameter.ts'

const position: fc.Arbitrary<Position> = fc.record(
  {
    startMs: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    id: fc.string().map(shortHash),
    distanceKm: fc.oneof(fc.double({ min: 0, max: 20_100, noNaN: true }), fc.constantFrom(0, 1e-12)),
  },
  { requiredKeys: ['startMs', 'id'] },
)

test('round-trips every position as text that needs no URL encoding', () => {
  const property = fc.property(position, fc.string(), (at, question) => {
    const text = formatCursor(at, question)
    assert.match(text, /^[A-Za-z0-9_-]{1,200}$/)
    const read = parseCursor(text, question)
    assert.deepEqual(
      { ...read, distanceKm: (read.distanceKm ?? 0) + 0 },
      { ...at, distanceKm: (at.distanceKm ?? 0) + 0 },
    )
  })
  fc.assert(property, { numRuns: 2000 })
})

test('rejects the cursor of another query and any other text', () => {
  const refused = (text: string, question: string) => assert.throws(() => parseCursor(text, question), InvalidParameter)
  const property = fc.property(position, fc.string(), fc.nat(), (at, question, place) => {
    const text = formatCursor(at, question)
    refused(text, `${question} `)
    refused(text.slice(0, place % 20), question)
    for (const more of ['A', '=', ' ', '*']) refused(text + more, question)
    refused(
      Buffer.from(Buffer.from(text, 'base64url').toString('latin1').replace('.', ',')).toString('base64url'),
      question,
    )
  })
  fc.assert(property)
  fc.assert(fc.property(fc.string(), (text) => refused(text, '')))
})
