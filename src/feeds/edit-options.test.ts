import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editOptions, maskedOptions } from './edit-options.ts'
import type { SourceOptions } from './source-options.ts'

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

test('masks values except for names and references', () => {
  assert.deepEqual(maskedOptions({ ...OPTIONS, headers: { ...OPTIONS.headers } }), {
    headers: { 'X-Api-Key': KEY, Authorization: `…${KEY}`, 'X-Client': '…', 'X-Empty': '' },
    query: { tenant: '…', both: `…${KEY}…${SECRET}` },
    daysAhead: 14,
  })
  const authorization = { ...TOKEN, clientSecret: `hunter2${SECRET}` }
  assert.deepEqual(maskedOptions({ authorization }), {
    authorization: { ...authorization, clientSecret: `…${SECRET}` },
  })
  assert.deepEqual(maskedOptions({}), {})
})

test('keeps members that the patch does not name or that come back masked', () => {
  assert.deepEqual(editOptions('fhir-search', OPTIONS, {}), OPTIONS)
  assert.deepEqual(editOptions('fhir-search', OPTIONS, maskedOptions(OPTIONS)), OPTIONS)
  const token = { authorization: { ...TOKEN, clientSecret: `hunter2${SECRET}` } }
  assert.deepEqual(editOptions('fhir-search', token, maskedOptions(token)), token)
  const more = editOptions('fhir-search', OPTIONS, { headers: { 'X-More': 'm' }, daysAhead: 7 })
  assert.deepEqual(more, { ...OPTIONS, headers: { ...OPTIONS.headers, 'X-More': 'm' }, daysAhead: 7 })
  const other = editOptions('fhir-search', token, { authorization: { clientId: 'other' } })
  assert.deepEqual(other, { authorization: { ...token.authorization, clientId: 'other' } })
})

test('removes members that are null', () => {
  assert.deepEqual(editOptions('fhir-search', OPTIONS, null), {})
  assert.deepEqual(editOptions('fhir-search', OPTIONS, { headers: null, daysAhead: null }), {
    query: OPTIONS.query,
  })
  const one = editOptions('fhir-search', OPTIONS, { query: { tenant: null }, headers: null, daysAhead: null })
  assert.deepEqual(one, { query: { both: `a${KEY}b${SECRET}` } })
  assert.deepEqual(editOptions('smart-links', { query: { a: '1' } }, { query: { a: null } }), {})
  assert.deepEqual(editOptions('smart-links', {}, { headers: null, query: {} }), {})
})

test('changes the kind of authorization', () => {
  const { clientSecret: _, ...rest } = TOKEN
  const patch = { authorization: { kind: 'backend-services', clientSecret: null, privateKey: SECRET } }
  assert.deepEqual(editOptions('fhir-search', { authorization: TOKEN }, patch), {
    authorization: { ...rest, kind: 'backend-services', privateKey: SECRET },
  })
})

test('rejects what adding a source rejects, and does not repeat stored values', () => {
  for (const [patch, reason] of [
    [[], /^options must be an object: got "\[\]"/],
    ['x', /^options must be an object: got "x"/],
    [{ cookies: {} }, /^options has an unknown member: got "cookies"/],
    [{ cookies: null }, /^options has an unknown member: got "cookies"/],
    [{ headers: { cookie: 'hunter3' } }, /^headers\.cookie must be a reference/],
    [{ headers: { 'x-client': 'a' } }, /^headers\.x-client is given twice/],
    [{ headers: { 'X-New': '…' } }, /^headers\.X-New must be one line of ASCII/],
    [{ headers: { 'X-Api-Key': '…' } }, /^headers\.X-Api-Key must be one line of ASCII/],
    [{ headers: { 'X-Client': { deep: null } } }, /^headers\.X-Client must be one line of ASCII/],
    [{ headers: 'hunter3' }, /^headers must be an object/],
    [{ headers: JSON.parse('{"__proto__":"a"}') }, /^headers\.__proto__ is not the name of a header/],
    [{ daysAhead: 0 }, /^daysAhead must be a whole number/],
    [
      { authorization: { ...TOKEN, kind: 'backend-services' } },
      /^authorization has an unknown member: got "clientSecret"/,
    ],
  ] as const) {
    assert.throws(
      () => editOptions('fhir-search', OPTIONS, patch),
      (error: Error) => reason.test(error.message) && !/hunter2/.test(error.message),
      JSON.stringify(patch),
    )
  }
  assert.throws(
    () => editOptions('smart-links', {}, { daysAhead: 7 }),
    /needs the format fhir-search: got "smart-links"/,
  )
  assert.throws(() => editOptions('files', {}, { query: { a: '1' } }), /files are imported, not requested/)
})
