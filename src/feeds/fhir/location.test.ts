import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLocation } from './location.ts'

test('recognizes US states only in US addresses', () => {
  const stateOf = (address: object) => parseLocation({ address }).state
  for (const country of [undefined, 'US', 'u.s.a.', 'United States of America', 'PR'])
    assert.equal(stateOf({ state: 'WA', country }), 'WA', country)
  for (const country of ['AU', 'Australia', 'CA', 'MX'])
    assert.equal(stateOf({ state: 'WA', country }), undefined, country)
})

test('keeps postal codes of other countries unchanged', () => {
  const codeOf = (address: object) => parseLocation({ address }).location?.postalCode
  assert.equal(codeOf({ state: 'MA', postalCode: '2139' }), '02139')
  assert.equal(codeOf({ state: 'MA', postalCode: '2139', country: 'MA' }), '2139')
})

test('returns only valid phone numbers', () => {
  const values = ['tel:+1-413-555-0100', 'javascript:alert(111)', '<b>413</b>555', 'n/a', '+1-413-555-0100']
  const telecom = values.map((value) => ({ system: 'phone', value }))
  assert.deepEqual(parseLocation({ telecom }).location?.phone, ['+1-413-555-0100'])
})
