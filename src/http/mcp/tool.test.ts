import assert from 'node:assert/strict'
import { test } from 'node:test'
import Ajv from 'ajv/dist/2020.js'
import { parseSlotQuery, SLOT_PARAMETERS } from '../../slot/slot-query.ts'
import { TOOLS } from './mcp-server.ts'
import { QueryError } from './query-service.ts'
import { inputOf, searchOf } from './tool.ts'

const INPUT = inputOf(SLOT_PARAMETERS, ['state', 'city', 'isVirtual', 'near', 'minDurationMinutes', 'limit'])

test('serializes arguments as the list operation reads them', () => {
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

test('accepts a single value for a list, and omits empty values', () => {
  assert.equal(searchOf({ state: 'MA', city: null, near: '', limit: undefined }, INPUT).toString(), 'state=MA')
})

test('rejects unknown arguments, values that cannot be serialized, and too many characters', () => {
  for (const [args, message] of [
    [{ color: 'red' }, /^Unknown argument "color"\. Arguments: state, city, /],
    [{ offset: 3 }, /Unknown argument/],
    [JSON.parse('{"__proto__": "x"}'), /Unknown argument "__proto__"/],
    [{ constructor: 'x' }, /Unknown argument "constructor"/],
    [{ city: { name: 'Boston' } }, /^city must be a string, number or boolean: got \{"name"/],
    [{ limit: Number.NaN }, /limit must be/],
    [{ state: [['MA']] }, /state must be/],
    [{ city: 'x'.repeat(7000) }, /at most 7000 characters/],
    [{ state: Array.from({ length: 3000 }, () => 'MA') }, /at most 7000/],
  ] as const) {
    assert.throws(
      () => searchOf(args, INPUT),
      (thrown: unknown) => thrown instanceof QueryError && message.test(thrown.message) && thrown.message.length < 300,
    )
  }
})

test('every tool schema is valid, and its examples match it', () => {
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
