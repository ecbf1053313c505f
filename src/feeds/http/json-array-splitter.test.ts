import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { InvalidData } from '../rejections.ts'
import { type ArrayLocation, JsonArraySplitter } from './json-array-splitter.ts'
import { LINE_BYTES_MAX } from './lines.ts'

/** As a page of a search is cut, and as a file is. */
const ENTRY: ArrayLocation = { names: ['entry'], atRoot: false, document: 'a JSON object' }
const FILE: ArrayLocation = { names: ['slots', 'entry'], atRoot: true, document: 'one JSON document' }

/** Each use, with the documents that it takes an array of elements in. */
const USES: readonly {
  readonly name: string
  readonly place: ArrayLocation
  around(array: string): string
}[] = [
  { name: 'a page', place: ENTRY, around: (array) => `{"entry":${array}}` },
  { name: 'a Bundle', place: FILE, around: (array) => `{"entry":${array}}` },
  { name: 'an answer of /v1', place: FILE, around: (array) => `{"total":3,"slots":${array},"x":"]"}` },
  { name: 'an array', place: FILE, around: (array) => array },
]

/** Cuts a document that comes in pieces of so many bytes. */
function cut(document: string | Buffer, place: ArrayLocation, pieceBytes = 65_536) {
  const splitter = new JsonArraySplitter(place)
  const bytes = Buffer.from(document as string)
  const elements: string[] = []
  const overlong: number[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const batch = splitter.split(bytes.subarray(at, at + pieceBytes))
    assert.equal(batch.first, elements.length + 1)
    for (const each of batch.overlong) overlong.push(batch.first + each)
    elements.push(...batch.lines.map((line) => line.toString().trimEnd()))
  }
  return { elements, overlong, beside: splitter.end(), isFound: splitter.isFound }
}

function refuses(document: string, place: ArrayLocation, reason: RegExp, pieceBytes = 3): void {
  assert.throws(
    () => cut(document, place, pieceBytes),
    (error) => error instanceof InvalidData && reason.test(error.message),
    document,
  )
}

const indents = fc.constantFrom(undefined, 1, '\t', '\n')
const pieces = fc.integer({ min: 1, max: 40 })
const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 })

test('splits an object like JSON.parse for any chunk boundaries', () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
  const objects = fc.record({ before: members, after: members, entry: values })
  fc.assert(
    fc.property(fc.constantFrom(ENTRY, FILE), objects, indents, pieces, (place, object, indent, size) => {
      const { entry } = object
      const mixed = { ...object.before, entry, ...object.after }
      const text = JSON.stringify({ ...mixed, entry }, null, indent)
      if (place === FILE && /"slots"/.test(text)) return
      const { elements, beside } = cut(text, place, size)
      assert.deepEqual(
        elements.map((each) => JSON.parse(each)),
        JSON.parse(text).entry,
      )
      assert.deepEqual({ ...beside }, { ...JSON.parse(text), entry: [] })
    }),
    { numRuns: casesOf(1000) },
  )
})

test('splits an array like JSON.parse for any chunk boundaries', () => {
  fc.assert(
    fc.property(values, indents, pieces, (elements, indent, size) => {
      const text = JSON.stringify(elements, null, indent)
      const found = cut(` ${text}\n`, FILE, size)
      assert.deepEqual(
        found.elements.map((each) => JSON.parse(each)),
        JSON.parse(text),
      )
      assert.deepEqual([found.beside, found.isFound], [{}, true])
    }),
    { numRuns: casesOf(500) },
  )
})

test('splits only the top-level array with the expected name', () => {
  const text = '{"x":{"entry":[1]},"y":["entry",[2]],"":[4],"entry":{"entry":[3]},"z":"entry"}'
  for (const place of [ENTRY, FILE])
    assert.deepEqual(cut(text, place), {
      beside: JSON.parse(text),
      elements: [],
      overlong: [],
      isFound: false,
    })
})

test('splits the first of two named arrays and keeps the other with the document', () => {
  const { elements, beside } = cut('{"meta":{"slots":[1]},"slots":[2,3],"entry":[4]}', FILE, 5)
  assert.deepEqual([elements, beside.slots, beside.entry], [['2', '3'], [], [4]])
})

test('reports whether the array was found', () => {
  assert.equal(cut('{"entry":[]}', ENTRY).isFound, true)
  assert.equal(cut('[]', FILE).isFound, true)
  for (const place of [ENTRY, FILE]) {
    const { isFound, beside } = cut('{"resourceType":"Bundle","total":0}', place)
    assert.deepEqual([isFound, beside.resourceType], [false, 'Bundle'])
  }
})

test('rejects truncated documents', () => {
  for (const { place, around } of USES) {
    const document = around('[{"a":"}]"},{"b":[1,{"c":"\\"]}"}]}]')
    for (let end = 1; end < document.length; end++) refuses(document.slice(0, end), place, /it is truncated/, 5)
    assert.equal(cut(document, place, 5).elements.length, 2)
  }
})

test('rejects invalid JSON objects and quotes their beginning', () => {
  for (const [text, reason] of [
    ['', /it must be a JSON object: got ""/],
    ['<html>', /it must be a JSON object: got "<ht/],
    ['\ufeff  hello', /it must be a JSON object: got "h/],
    ['[1,2]', /it must be a JSON object: got "\[1/],
    ['"slots"', /it must be a JSON object: got ""sl/],
    ['{"entry":[1,2', /it is truncated/],
    ['{"entry":[1,2]', /it is truncated/],
    ['{"entry":[1,2]} x', /it must be a JSON object: got "data after its end"/],
    ['{"entry":[1,2]}{}', /it must be a JSON object: got "data after its end"/],
    ['{"entry":[1}', /it must be a JSON object: got "mismatched brackets"/],
    ['{"entry":[}', /it must be a JSON object: got "mismatched brackets"/],
    ['{"total":nothing,"entry":[1]}', /it must be a JSON object: got "\{"total":nothing,"entry":\[\]\}"/],
    ['}{', /it must be/],
    ['{]', /it must be/],
    ['{"a":"', /it is truncated/],
  ] as const)
    refuses(text, ENTRY, reason)
})

test('explains errors in a document that may be an array', () => {
  for (const [text, reason] of [
    ['', /it must be one JSON document: got ""/],
    ['[{}] [{}]', /it must be one JSON document: got "data after its end"/],
    ['[{}]}', /it must be one JSON document: got "data after its end"/],
    ['[{}}', /it must be one JSON document: got "mismatched brackets"/],
    ['"slots"', /it must be one JSON document: got ""sl/],
    ['é[1]', /it must be one JSON document: got "é\[\]"/],
    ['{"slots":[1]]', /it must be one JSON document: got "\{"slots":\[\]\]"/],
  ] as const)
    refuses(text, FILE, reason)
})

test('skips a byte order mark in any chunks and accepts raw tabs in strings', () => {
  for (const { place, around } of USES) assert.deepEqual(cut(`\ufeff${around('[7]')}`, place, 1).elements, ['7'])
  for (const place of [ENTRY, FILE]) assert.deepEqual(cut('{"a":"b\tc","entry":[]}', place).beside.a, 'b\tc')
})

test('throws nothing but InvalidData for any input', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1\n'), maxLength: 60 })
  fc.assert(
    fc.property(fc.constantFrom(ENTRY, FILE), noise, fc.integer({ min: 1, max: 9 }), (place, text, size) => {
      try {
        assert.ok(cut(text, place, size).elements.length <= text.length)
      } catch (error) {
        assert.ok(error instanceof InvalidData && /^it (must|is) /.test(error.message), String(error))
      }
    }),
    { numRuns: casesOf(3000) },
  )
})

for (const { name, place, around } of USES) {
  test(`${name}: passes on elements that are not JSON`, () => {
    assert.deepEqual(cut(around('[{"a":1],nonsense,,"]",{"b":"\\"}]"}]'), place, 4).elements, [
      '{"a":1]',
      'nonsense',
      '"]"',
      '{"b":"\\"}]"}',
    ])
  })

  test(`${name}: yields only the beginning of an overlong element`, () => {
    for (const long of [`"${'x'.repeat(LINE_BYTES_MAX)}"`, `{"a":"${'x'.repeat(LINE_BYTES_MAX)}"}`]) {
      for (const size of [1000, 65_536, 3 * LINE_BYTES_MAX]) {
        const { elements, overlong } = cut(around(`[1,${long},2]`), place, size)
        assert.deepEqual([elements.length, overlong, elements[0], elements[2]], [3, [2], '1', '2'])
        assert.ok(elements[1].startsWith(long.slice(0, 9)) && elements[1].length <= 2048)
      }
    }
  })

  test(`${name}: accepts an element of exactly the maximum size`, () => {
    const text = (length: number) => `"${'x'.repeat(length - 2)}"`
    const { elements, overlong } = cut(around(`[${text(LINE_BYTES_MAX)},${text(LINE_BYTES_MAX + 1)}]`), place)
    assert.deepEqual([elements[0].length, overlong], [LINE_BYTES_MAX, [2]])
  })

  test(`${name}: splits single-byte chunks like one chunk`, () => {
    const element = `{"a":"${'x'.repeat(300_000)}"}`
    assert.deepEqual(cut(around(`[${element},1]`), place, 1).elements, [element, '1'])
  })
}

test('limits the size of the document outside the array', () => {
  const long = 'x'.repeat(2 ** 20)
  for (const size of [65_536, 2 ** 22]) {
    for (const text of [`{"a":"${long}","entry":[]}`, `{"entry":[],"a":"${long}"}`]) {
      refuses(text, ENTRY, /the document must have at most 1048576 bytes outside "entry"/, size)
      refuses(text, FILE, /the document must have at most 1048576 bytes outside "slots" or "entry"/, size)
    }
    refuses(`[1]${' '.repeat(2 ** 20)}`, FILE, /the document must have at most/, size)
  }
  const most = `{"a":"${'x'.repeat(2 ** 20 - 19)}","entry":[]}`
  assert.equal(Buffer.byteLength(most), 2 ** 20)
  for (const { place } of USES) assert.equal(cut(most, place).isFound, true)
})

test('accepts the document outside the array in single-byte chunks', () => {
  const text = 'x'.repeat(100_000)
  assert.equal(cut(`{"a":"${text}","entry":[1]}`, ENTRY, 1).beside.a, text)
})
