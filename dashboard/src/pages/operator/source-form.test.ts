import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editOptions, maskedOptions } from '../../../../src/feeds/edit-options.ts'
import { parseSourceOptions } from '../../../../src/feeds/source-options.ts'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { ApiError } from '../../api/client.ts'
import {
  canCheck,
  EMPTY_SOURCE,
  editPatch,
  editValidation,
  mapFieldError,
  type SourceValues,
  sourceBody,
  sourceValidation,
  valuesOf,
} from './source-form.ts'

const values = (more: Partial<SourceValues>): SourceValues => ({
  ...EMPTY_SOURCE,
  url: ' https://publisher.example/ ',
  slug: 'harbour',
  ...more,
})

test('a plain source is sent without what was left empty', () => {
  assert.deepEqual(sourceBody(values({})), {
    format: 'smart-links',
    url: 'https://publisher.example/',
    slug: 'harbour',
    strict: false,
    options: {},
  })
})

test('what is filled in becomes options that the service takes', () => {
  const body = sourceBody(
    values({
      format: 'fhir-search',
      name: ' Harbour Clinic ',
      everyMinutes: 5,
      headers: `X-Api-Key: \${SOURCE_HARBOUR_KEY}\n\n X-Trace: a:b `,
      query: 'tenant=a=b',
      daysAhead: 14,
      authorization: 'backend-services',
      tokenUrl: 'https://publisher.example/token',
      clientId: 'slots',
      secret: ` \${SOURCE_HARBOUR_JWK} `,
    }),
  ) as { name: string; everyMinutes: number; options: unknown }
  assert.deepEqual([body.name, body.everyMinutes], ['Harbour Clinic', 5])
  assert.deepEqual(parseSourceOptions('fhir-search', body.options), {
    headers: { 'X-Api-Key': `\${SOURCE_HARBOUR_KEY}`, 'X-Trace': 'a:b' },
    query: { tenant: 'a=b' },
    daysAhead: 14,
    authorization: {
      kind: 'backend-services',
      tokenUrl: 'https://publisher.example/token',
      clientId: 'slots',
      privateKey: `\${SOURCE_HARBOUR_JWK}`,
    },
  })
})

test('what belongs to a FHIR server alone is not sent for a feed, though it was filled in before', () => {
  const body = sourceBody(values({ daysAhead: 3, authorization: 'client-credentials', query: 'a=1' }))
  assert.deepEqual((body as { options: unknown }).options, { query: { a: '1' } })
})

test('a line that is no pair is named, and so is a name that stands twice', () => {
  const { headers, query, slug } = sourceValidation(['taken'])
  assert.equal(headers('A: 1\nB'), 'Line 2 must be Name: value')
  assert.equal(headers(': 1'), 'Line 1 must be Name: value')
  assert.equal(query('a=1\nb=\na=2'), 'Name a once')
  assert.equal(query('a=1\nb='), null)
  assert.match(slug('taken') ?? '', /Another source/)
  assert.match(slug('No Slug') ?? '', /lower-case/)
})

test('a manifest is looked at first only where it is asked for plainly', () => {
  assert.equal(canCheck(values({})), true)
  assert.equal(canCheck(values({ query: 'a=1' })), false)
  assert.equal(canCheck(values({ format: 'fhir-search' })), false)
})

test("the service's refusals stand at the fields that they are about", () => {
  const fieldOf = (field: string) =>
    (mapFieldError(new ApiError({ status: 400, code: 'invalid-field', message: '', field })) as ApiError)
      .field
  assert.equal(fieldOf('options.headers'), 'headers')
  assert.equal(fieldOf('options.daysAhead'), 'daysAhead')
  assert.equal(fieldOf('options.authorization'), 'authorization')
  assert.equal(fieldOf('options.authorization.tokenUrl'), 'tokenUrl')
  assert.equal(fieldOf('options.authorization.clientSecret'), 'secret')
  assert.equal(fieldOf('options.authorization.privateKey'), 'secret')
  assert.equal(fieldOf('slug'), 'slug')
})

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
  assert.deepEqual(editValidation({ ...SOURCE, format: 'files' }), {})
  assert.equal('url' in editValidation(SOURCE), true)
})
