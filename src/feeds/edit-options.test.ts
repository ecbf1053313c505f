import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceOptions } from './connector.ts'
import { editOptions, shownOptions } from './edit-options.ts'

const KEY = '$' + '{SOURCE_CLINIC_KEY}'
const SECRET = '$' + '{SOURCE_CLINIC_SECRET}'

const OPTIONS: SourceOptions = {
  headers: { 'X-Api-Key': KEY, Authorization: `Bearer ${KEY}`, 'X-Client': 'hunter2', 'X-Empty': '' },
  query: { tenant: 'hunter2', both: `a${KEY}b${SECRET}` },
  daysAhead: 14,
}

const TOKEN = {
  kind: 'client-credentials',
  tokenUrl: 'https://id.clinic.example/token',
  clientId: 'aggregator-7',
  clientSecret: SECRET,
} as const

test('shows names and references, and of other values that there are some', () => {
  assert.deepEqual(shownOptions({ ...OPTIONS, headers: { ...OPTIONS.headers } }), {
    headers: { 'X-Api-Key': KEY, Authorization: `…${KEY}`, 'X-Client': '…', 'X-Empty': '' },
    query: { tenant: '…', both: `…${KEY}…${SECRET}` },
    daysAhead: 14,
  })
  const authorization = { ...TOKEN, clientSecret: `hunter2${SECRET}` }
  assert.deepEqual(shownOptions({ authorization }), {
    authorization: { ...authorization, clientSecret: `…${SECRET}` },
  })
  assert.deepEqual(shownOptions({}), {})
})

test('leaves what is not named, and what comes back as it was shown', () => {
  assert.deepEqual(editOptions('fhir-search', OPTIONS, {}), OPTIONS)
  assert.deepEqual(editOptions('fhir-search', OPTIONS, shownOptions(OPTIONS)), OPTIONS)
  const token = { authorization: { ...TOKEN, clientSecret: `hunter2${SECRET}` } }
  assert.deepEqual(editOptions('fhir-search', token, shownOptions(token)), token)
  const more = editOptions('fhir-search', OPTIONS, { headers: { 'X-More': 'm' }, daysAhead: 7 })
  assert.deepEqual(more, { ...OPTIONS, headers: { ...OPTIONS.headers, 'X-More': 'm' }, daysAhead: 7 })
  const other = editOptions('fhir-search', token, { authorization: { clientId: 'other' } })
  assert.deepEqual(other, { authorization: { ...token.authorization, clientId: 'other' } })
})

test('ends what is null', () => {
  assert.deepEqual(editOptions('fhir-search', OPTIONS, null), {})
  assert.deepEqual(editOptions('fhir-search', OPTIONS, { headers: null, daysAhead: null }), {
    query: OPTIONS.query,
  })
  const one = editOptions('fhir-search', OPTIONS, { query: { tenant: null }, headers: null, daysAhead: null })
  assert.deepEqual(one, { query: { both: `a${KEY}b${SECRET}` } })
  assert.deepEqual(editOptions('smart-links', { query: { a: '1' } }, { query: { a: null } }), {})
  assert.deepEqual(editOptions('smart-links', {}, { headers: null, query: {} }), {})
})

test('goes from one way to a token to the other', () => {
  const { clientSecret: _, ...rest } = TOKEN
  const patch = { authorization: { kind: 'backend-services', clientSecret: null, privateKey: SECRET } }
  assert.deepEqual(editOptions('fhir-search', { authorization: TOKEN }, patch), {
    authorization: { ...rest, kind: 'backend-services', privateKey: SECRET },
  })
})

test('refuses what adding a source would refuse, and does not repeat a value', () => {
  for (const [patch, reason] of [
    [[], /^options must be an object: got "\[\]"/],
    ['x', /^options must be an object: got "x"/],
    [{ cookies: {} }, /^options must be of headers, query, daysAhead, authorization: got "cookies"/],
    [{ cookies: null }, /^options must be of headers, query, daysAhead, authorization: got "cookies"/],
    [{ headers: { cookie: 'hunter3' } }, /^headers must give cookie as a reference/],
    [{ headers: { 'x-client': 'a' } }, /^headers must hold x-client once/],
    [{ headers: { 'X-New': '…' } }, /^headers must give X-New as one line of ASCII/],
    [{ headers: { 'X-Api-Key': '…' } }, /^headers must give X-Api-Key as one line of ASCII/],
    [{ headers: { 'X-Client': { deep: null } } }, /^headers must give X-Client as one line of ASCII/],
    [{ headers: 'hunter3' }, /^headers must be an object/],
    [{ headers: JSON.parse('{"__proto__":"a"}') }, /^headers must each have the name of a header/],
    [{ daysAhead: 0 }, /^daysAhead must be a whole number/],
    [{ authorization: { ...TOKEN, kind: 'backend-services' } }, /^authorization must be kind, tokenUrl/],
  ] as const) {
    assert.throws(
      () => editOptions('fhir-search', OPTIONS, patch),
      (fault: Error) => reason.test(fault.message) && !/hunter2/.test(fault.message),
      JSON.stringify(patch),
    )
  }
  assert.throws(
    () => editOptions('smart-links', {}, { daysAhead: 7 }),
    /must go with the format fhir-search: got "smart-links"/,
  )
  assert.throws(() => editOptions('files', {}, { query: { a: '1' } }), /files are brought, not asked for/)
})
