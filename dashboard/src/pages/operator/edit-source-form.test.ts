import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editOptions, maskedOptions } from '../../../../src/feeds/edit-options.ts'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import type { SourceValues } from './add-source-form.ts'
import { editFaults, editPatch, valuesOf } from './edit-source-form.ts'

const STORED = {
  headers: { 'X-Api-Key': `\${SOURCE_HARBOUR_KEY}`, 'X-Client': 'a: b', 'X-Old': '1' },
  query: { tenant: 'harbour' },
  daysAhead: 14,
  authorization: {
    kind: 'client-credentials',
    tokenUrl: 'https://publisher.example/token',
    clientId: 'slots',
    clientSecret: `\${SOURCE_HARBOUR_SECRET}`,
  },
} as const

const SOURCE: SourceView = {
  slug: 'harbour',
  name: 'Harbour Clinic',
  format: 'fhir-search',
  url: 'https://publisher.example/fhir',
  options: maskedOptions(STORED),
  strict: false,
  everyMinutes: 5,
  paused: false,
  createdAtMs: 0,
  nextSyncAtMs: 0,
  failures: 0,
  slotCount: 1,
  health: 'healthy',
  hold: 'emptied',
  flags: [],
}

const patchOf = (more: Partial<SourceValues>, source = SOURCE) => {
  const before = valuesOf(source)
  return editPatch(before, { ...before, ...more })
}

test('what is left as it was is not sent', () => {
  assert.deepEqual(patchOf({}), {})
  assert.deepEqual(patchOf({ name: ' Harbour Clinic ', headers: `${valuesOf(SOURCE).headers}\n\n` }), {})
  assert.deepEqual(patchOf({}, { ...SOURCE, format: 'files', url: '' }), {})
})

test('what is changed is sent alone, and what is emptied is ended', () => {
  assert.deepEqual(patchOf({ url: ' https://other.example/ ', strict: true, hold: 'nothing' }), {
    url: 'https://other.example/',
    strict: true,
    hold: 'nothing',
  })
  assert.deepEqual(patchOf({ name: '', everyMinutes: '', daysAhead: '', query: '' }), {
    name: null,
    everyMinutes: null,
    options: { daysAhead: null, query: null },
  })
})

test('a value that is hidden stays what it is while its neighbours change', () => {
  const { headers } = valuesOf(SOURCE)
  assert.equal(headers, `X-Api-Key: \${SOURCE_HARBOUR_KEY}\nX-Client: …\nX-Old: …`)
  const patch = patchOf({ headers: headers.replace('X-Old: …', 'X-New: 2') })
  assert.deepEqual(patch, { options: { headers: { 'X-Old': null, 'X-New': '2' } } })
  const { 'X-Old': _, ...kept } = STORED.headers
  assert.deepEqual(editOptions('fhir-search', STORED, patch.options), {
    ...STORED,
    headers: { ...kept, 'X-New': '2' },
  })
})

test('one way to a token becomes the other, or none', () => {
  const secret = `\${SOURCE_HARBOUR_JWK}`
  const patch = patchOf({ authorization: 'backend-services', secret })
  const { clientSecret: _, ...rest } = STORED.authorization
  assert.deepEqual(editOptions('fhir-search', STORED, patch.options).authorization, {
    ...rest,
    kind: 'backend-services',
    privateKey: secret,
  })
  assert.deepEqual(patchOf({ authorization: '' }), { options: { authorization: null } })
})

test('a source of files has no address that could be wrong', () => {
  assert.deepEqual(editFaults({ ...SOURCE, format: 'files' }), {})
  assert.equal('url' in editFaults(SOURCE), true)
})
