import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LINE_BYTES_MAX } from '../web/lines.ts'
import { JsonElements } from './json-elements.ts'

interface Cut {
  readonly elements: readonly string[]
  readonly numbers: readonly number[]
  readonly overlong: number
  readonly fault: string | undefined
  readonly beside: ReadonlyMap<string, string>
}

/** Cuts a document that comes in pieces of so many bytes. */
function cut(document: string | Buffer, pieceBytes = 65_536): Cut {
  const bytes = Buffer.from(document as string)
  const cutter = new JsonElements()
  const elements: string[] = []
  const numbers: number[] = []
  let overlong = 0
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const batch = cutter.cut(Buffer.from(bytes.subarray(at, at + pieceBytes)))
    batch.lines.forEach((line, n) => {
      elements.push(line.toString())
      numbers.push(batch.first + n)
    })
    overlong += batch.overlong.size
  }
  return { elements, numbers, overlong, fault: cutter.fault(), beside: cutter.beside }
}

const around = fc.constantFrom<(array: string) => string>(
  (array) => array,
  (array) => `{"slots":${array}}`,
  (array) => `\n{ "total" : 3, "slots" : ${array} , "entry":[1] }\n`,
  (array) =>
    `{"resourceType":"Bundle","meta":{"tag":[{"slots":[1]}]},"link":[{"url":"a"}],"entry":${array},"x":"]"}`,
)

test('cuts what JSON.parse finds in the array, wherever pieces end', () => {
  const property = fc.property(
    fc.array(fc.jsonValue()),
    around,
    fc.constantFrom(undefined, 2),
    fc.integer({ min: 1, max: 40 }),
    (values, wrap, indent, pieceBytes) => {
      const { elements, numbers, fault } = cut(wrap(JSON.stringify(values, null, indent)), pieceBytes)
      assert.equal(fault, undefined)
      assert.deepEqual(
        elements.map((element) => JSON.parse(element)),
        JSON.parse(JSON.stringify(values)),
      )
      assert.deepEqual(
        numbers,
        values.map((_, n) => n + 1),
      )
    },
  )
  fc.assert(property, { numRuns: 1000 })
})

test('never takes a part of a document for all of it', () => {
  const document = '{"resourceType":"Bundle","entry":[{"a":"}]"},{"b":[1,{"c":"\\"]}"}]}],"total":2}'
  for (let end = 1; end < document.length; end++) {
    assert.notEqual(cut(document.slice(0, end), 5).fault, undefined, document.slice(0, end))
  }
  assert.equal(cut(document, 5).fault, undefined)
})

test('never throws, whatever comes', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1\n'), maxLength: 60 })
  fc.assert(
    fc.property(noise, fc.integer({ min: 1, max: 9 }), (text, pieceBytes) => {
      const { elements, fault } = cut(text, pieceBytes)
      assert.ok(elements.length <= text.length)
      assert.ok(fault === undefined || fault.startsWith('it must '))
    }),
    { numRuns: 3000 },
  )
})

for (const [document, fault] of [
  ['{}', /a Bundle, an array/],
  ['{"slots":{"0":{}}}', /a Bundle, an array/],
  ['{"data":{"slots":[{}]}}', /a Bundle, an array/],
  ['[{}] [{}]', /one JSON document/],
  ['[{}]}', /one JSON document/],
  ['[{}}', /brackets that do not match|an end in the middle/],
  ['"slots"', /be whole/],
] as const) {
  test(`says what is wrong with ${document}`, () => {
    assert.match(cut(document).fault ?? '', fault)
  })
}

test('a Bundle without entries is an empty one', () => {
  assert.deepEqual(cut('{"resourceType":"Bundle","total":0}').fault, undefined)
})

test('remembers what stands beside the array, if it is short', () => {
  const { beside } = cut(
    `{"total":50,"resourceType":"Bundle","x":"${'y'.repeat(500)}","entry":[{"total":7}]}`,
    3,
  )
  assert.deepEqual(
    [beside.get('total'), beside.get('resourceType'), beside.get('x')?.length],
    ['50', 'Bundle', 64],
  )
})

test('hands on only the beginning of an element that is too long', () => {
  const long = `{"a":"${'x'.repeat(LINE_BYTES_MAX)}"}`
  const { elements, overlong, fault } = cut(`[{},${long},{}]`)
  assert.deepEqual([elements.length, overlong, fault], [3, 1, undefined])
  assert.ok(elements[1].length <= 2048)
})
