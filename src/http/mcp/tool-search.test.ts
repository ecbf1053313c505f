import assert from 'node:assert/strict'
import { test } from 'node:test'
import Ajv from 'ajv/dist/2020.js'
import { parseSlotQuery, SLOT_PARAMETERS } from '../../slot/slot-query.ts'
import { TOOLS } from './mcp-server.ts'
import { Unanswered } from './query-service.ts'
import { inputOf, searchOf } from './tool-search.ts'

const INPUT = inputOf(SLOT_PARAMETERS, ['state', 'city', 'isVirtual', 'near', 'minDurationMinutes', 'limit'])

test('writes arguments down as the list reads them', () => {
  const args = {
    state: ['ma', 'ny'],
    city: 'Bos & ton',
    isVirtual: false,
    near: '42.3,-71',
    minDurationMinutes: 15,
  }
  const { states, city, isVirtual, near, minDurationMs } = parseSlotQuery(searchOf(args, INPUT).toString())
  assert.deepEqual([states, city, isVirtual, minDurationMs], [['MA', 'NY'], 'Bos & ton', false, 900_000])
  assert.deepEqual(near, { latitude: 42.3, longitude: -71, radiusKm: 25 })
})

test('takes one value for a list of one, and leaves out what says nothing', () => {
  assert.equal(
    searchOf({ state: 'MA', city: null, near: '', limit: undefined }, INPUT).toString(),
    'state=MA',
  )
})

test('refuses arguments that there are not, values that cannot be written, and too much of them', () => {
  for (const [args, message] of [
    [{ colour: 'red' }, /among state, city, .*: got "colour"/],
    [{ offset: 3 }, /among/],
    [JSON.parse('{"__proto__": "x"}'), /got "__proto__"/],
    [{ constructor: 'x' }, /got "constructor"/],
    [{ city: { name: 'Boston' } }, /^city must be a text, a number or a truth value: got \{"name"/],
    [{ limit: Number.NaN }, /limit must be/],
    [{ state: [['MA']] }, /state must be/],
    [{ city: 'x'.repeat(7000) }, /at most 7000 characters/],
    [{ state: Array.from({ length: 3000 }, () => 'MA') }, /at most 7000/],
  ] as const) {
    assert.throws(
      () => searchOf(args, INPUT),
      (thrown: unknown) =>
        thrown instanceof Unanswered && message.test(thrown.message) && thrown.message.length < 300,
    )
  }
})

test('every schema of a tool is one, and every example fits it', () => {
  const ajv = new Ajv.default({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
  for (const { name, input, output } of TOOLS) {
    assert.ok(ajv.validateSchema(output), name)
    for (const [argument, { examples, ...schema }] of Object.entries(input.properties)) {
      const validate = ajv.compile(schema)
      for (const example of Array.isArray(examples) ? examples : [])
        assert.ok(validate(example), `${name} ${argument} ${JSON.stringify(example)}`)
    }
  }
})
