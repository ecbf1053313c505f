import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '../fhir/json.ts'
import { LINE_BYTES_MAX } from '../web/lines.ts'
import { EntryCutter } from './entry-cutter.ts'

/** Cuts a text that comes in pieces of this size. */
function cut(text: string, size = text.length + 1) {
  const cutter = new EntryCutter('entry')
  const bytes = Buffer.from(text)
  const entries: string[] = []
  const overlong: number[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const batch = cutter.cut(bytes.subarray(at, at + size))
    assert.equal(batch.first, entries.length + 1)
    for (const each of batch.overlong) overlong.push(batch.first + each)
    entries.push(...batch.lines.map((line) => line.toString().trimEnd()))
  }
  return { around: cutter.end(), entries, overlong }
}

const indents = fc.constantFrom(undefined, 1, '\t', '\n')

test('cuts what JSON.parse finds, however it is laid out and in whatever pieces it comes', () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
  const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 })
  fc.assert(
    fc.property(
      members,
      values,
      members,
      indents,
      fc.integer({ min: 1, max: 40 }),
      (before, entry, after, indent, size) => {
        const object = { ...before, entry, ...after }
        const whole = { ...object, entry }
        const text = JSON.stringify(whole, null, indent)
        const { around, entries } = cut(text, size)
        assert.deepEqual(
          entries.map((each) => JSON.parse(each)),
          JSON.parse(text).entry,
        )
        assert.deepEqual(around, { ...JSON.parse(text), entry: [] })
      },
    ),
    { numRuns: 500 },
  )
})

test('takes only the array of its own name at the top for the array', () => {
  const text = '{"x":{"entry":[1]},"y":["entry",[2]],"entry":{"entry":[3]},"z":"entry"}'
  assert.deepEqual(cut(text), { around: JSON.parse(text), entries: [], overlong: [] })
})

test('refuses what is no whole JSON object, and shows how it begins', () => {
  for (const [text, reason] of [
    ['', /it must be a JSON object: got ""/],
    ['<html>', /it must be a JSON object: got "<ht/],
    ['\ufeff  hello', /it must be a JSON object: got "h/],
    ['[1,2]', /it must be a JSON object: got "\[1/],
    ['{"entry":[1,2', /it must be whole/],
    ['{"entry":[1,2]', /it must be whole/],
    ['{"entry":[1,2]} x', /it must be a JSON object/],
    ['{"entry":[1,2]}{}', /it must be a JSON object/],
    ['{"entry":[}', /it must be/],
    ['}{', /it must be/],
    ['{"a":"', /it must be whole/],
  ] as const) {
    assert.throws(
      () => cut(text, 3),
      (error) => error instanceof Unreadable && reason.test(error.message),
      text,
    )
  }
  assert.deepEqual(cut('\ufeff{"a":1}').around, { a: 1 })
})

test('hands on elements that are no JSON as they are, for whoever reads them to refuse', () => {
  assert.deepEqual(cut('{"entry":[{"a":1],nonsense,,"]",{"b":"\\"}]"}]}').entries, [
    '{"a":1]',
    'nonsense',
    '"]"',
    '{"b":"\\"}]"}',
  ])
})

test('hands on no more than the beginning of an element that is too long', () => {
  const long = `"${'x'.repeat(LINE_BYTES_MAX)}"`
  for (const size of [65_536, 3 * LINE_BYTES_MAX]) {
    const { entries, overlong } = cut(`{"entry":[1,${long},2]}`, size)
    assert.deepEqual([entries.length, overlong, entries[0], entries[2]], [3, [2], '1', '2'])
    assert.ok(entries[1].startsWith('"xxx') && entries[1].length <= 2048)
  }
})

test('holds what stands around the array to a bound', () => {
  assert.throws(
    () => cut(`{"a":"${'x'.repeat(2 ** 20)}","entry":[]}`, 65_536),
    /around "entry" must be at most 1048576 bytes/,
  )
})
