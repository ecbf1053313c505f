import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { casesOf } from '../../../test/support/cases.ts'
import { sampleRow } from '../../../test/support/slot-index/run-samples.ts'
import { encodeSlot } from '../../slot/slot.ts'
import { divideOwnText } from './own-text.ts'

/** The form of `encodeSlot()` in its plainest form. Slow on purpose. */
const OWN_JSON =
  /^\{"id":"[0-9a-v]{24}","status":"[^"]*","start":"(?<start>[^"]*)","end":"(?<end>[^"]*)"(?:,"bookingDeepLink":"(?<link>(?:[^"\\]|\\.)*)")?(?:,"capacity":(?<capacity>\d+))?(?:,"identifier":(?<identifier>\[.*\]))?$/s

test('divides a text as a regular expression does', () => {
  const damage = fc.record({
    at: fc.nat(400),
    length: fc.nat(3),
    text: fc.oneof(anyCharacter, fc.constantFrom('', '"', '\\', '",')),
  })
  const texts = fc.tuple(sampleRow, fc.option(damage, { nil: undefined })).map(([{ slot }, damage]) => {
    const json = encodeSlot(slot)
    if (damage === undefined) return json
    const at = damage.at % json.length
    return json.slice(0, at) + damage.text + json.slice(at + damage.length)
  })
  fc.assert(
    fc.property(texts, (json) => {
      const parts = divideOwnText(json)
      const expected = OWN_JSON.exec(json)?.groups
      if (parts === undefined || expected === undefined) assert.equal(parts, expected, json)
      else {
        const { start, startEnd, end, endEnd, hasLink, link, linkEnd, capacity, capacityEnd, identifier } = parts
        const found = {
          start: json.slice(start, startEnd),
          end: json.slice(end, endEnd),
          link: hasLink ? json.slice(link, linkEnd) : undefined,
          capacity: json.slice(capacity, capacityEnd) || undefined,
          identifier: json.slice(identifier) || undefined,
        }
        assert.deepEqual(found, { ...expected }, json)
      }
    }),
    { numRuns: casesOf(2000) },
  )
})
