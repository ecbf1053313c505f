import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editOptions, maskedOptions } from '../../../../src/feeds/edit-options.ts'
import { parseSourceOptions } from '../../../../src/feeds/source-options.ts'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { ApiError } from '../../api/client.ts'
import {
  canCheck,
  EMPTY_SOURCE,
  editPatch,
  editValidation,
  formValuesOf,
  mapFieldError,
  SOURCE_VALIDATION,
  type SourceValues,
  sourceBody,
} from './source-form.ts'

const values = (more: Partial<SourceValues>): SourceValues => ({
  ...EMPTY_SOURCE,
  url: ' https://publisher.example/ ',
  slug: 'harbor',
  ...more,
})

test('sends a source without empty fields', () => {
  assert.deepEqual(sourceBody(values({})), {
    format: 'smart-links',
    url: 'https://publisher.example/',
    slug: 'harbor',
    strict: false,
    options: {},
  })
})

test('converts fields to valid source options', () => {
  const body = sourceBody(
    values({
      format: 'fhir-search',
      name: ' Harbor Clinic ',
      everyMinutes: 5,
      headers: `X-Api-Key: \${SOURCE_HARBOR_KEY}\n\n X-Trace: a:b `,
      query: 'tenant=a=b',
      daysAhead: 14,
      server: 'gp-connect',
      authorization: 'backend-services',
      tokenUrl: 'https://publisher.example/token',
      clientId: 'slots',
      secret: ` \${SOURCE_HARBOR_JWK} `,
    }),
  ) as { name: string; everyMinutes: number; options: unknown }
  assert.deepEqual([body.name, body.everyMinutes], ['Harbor Clinic', 5])
  assert.deepEqual(parseSourceOptions('fhir-search', body.options), {
    headers: { 'X-Api-Key': `\${SOURCE_HARBOR_KEY}`, 'X-Trace': 'a:b' },
    query: { tenant: 'a=b' },
    daysAhead: 14,
    server: 'gp-connect',
    authorization: {
      kind: 'backend-services',
      tokenUrl: 'https://publisher.example/token',
      clientId: 'slots',
      privateKey: `\${SOURCE_HARBOR_JWK}`,
    },
  })
})

test('leaves out FHIR server options for a feed', () => {
  const body = sourceBody(values({ daysAhead: 3, authorization: 'client-credentials', query: 'a=1' }))
  assert.deepEqual((body as { options: unknown }).options, { query: { a: '1' } })
})

test('reports lines that are not pairs and duplicate names', () => {
  const { headers, query, slug } = SOURCE_VALIDATION
  assert.equal(headers('A: 1\nB'), 'Line 2 must be Name: value')
  assert.equal(headers(': 1'), 'Line 1 must be Name: value')
  assert.equal(query('a=1\nb=\na=2'), 'a is listed twice')
  assert.equal(query('a=1\nb='), null)
  assert.match(slug('No Slug') ?? '', /lowercase/)
})

test('checks the manifest first only without options', () => {
  assert.equal(canCheck(values({})), true)
  assert.equal(canCheck(values({ query: 'a=1' })), false)
  assert.equal(canCheck(values({ format: 'fhir-search' })), false)
})

test('shows errors of the server at their fields', () => {
  const fieldOf = (field: string) =>
    (mapFieldError(new ApiError({ status: 400, code: 'invalid-field', message: '', field })) as ApiError).field
  assert.equal(fieldOf('options.headers'), 'headers')
  assert.equal(fieldOf('options.daysAhead'), 'daysAhead')
  assert.equal(fieldOf('options.authorization'), 'authorization')
  assert.equal(fieldOf('options.authorization.tokenUrl'), 'tokenUrl')
  assert.equal(fieldOf('options.authorization.clientSecret'), 'secret')
  assert.equal(fieldOf('options.authorization.privateKey'), 'secret')
  assert.equal(fieldOf('slug'), 'slug')
})

const STORED = {
  headers: { 'X-Api-Key': `\${SOURCE_HARBOR_KEY}`, 'X-Client': 'a: b', 'X-Old': '1' },
  query: { tenant: 'harbor' },
  daysAhead: 14,
  server: 'oracle',
  authorization: {
    kind: 'client-credentials',
    tokenUrl: 'https://publisher.example/token',
    clientId: 'slots',
    clientSecret: `\${SOURCE_HARBOR_SECRET}`,
  },
} as const

const SOURCE: SourceView = {
  slug: 'harbor',
  name: 'Harbor Clinic',
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
  hold: 'extreme',
  flags: [],
}

const patchOf = (more: Partial<SourceValues>, source = SOURCE) => {
  const before = formValuesOf(source)
  return editPatch(before, { ...before, ...more })
}

test('sends nothing for unchanged fields', () => {
  assert.deepEqual(patchOf({}), {})
  assert.deepEqual(patchOf({ name: ' Harbor Clinic ', headers: `${formValuesOf(SOURCE).headers}\n\n` }), {})
  assert.deepEqual(patchOf({}, { ...SOURCE, format: 'files', url: '' }), {})
})

test('sends only changed fields, and null for cleared ones', () => {
  assert.deepEqual(patchOf({ url: ' https://other.example/ ', strict: true, hold: 'nothing' }), {
    url: 'https://other.example/',
    strict: true,
    hold: 'nothing',
  })
  assert.deepEqual(patchOf({ slotsMax: 8 }), { slotsMax: 8 })
  assert.deepEqual(patchOf({ slotsMax: '' }, { ...SOURCE, slotsMax: 8 }), { slotsMax: null })
  assert.deepEqual(patchOf({ name: '', everyMinutes: '', daysAhead: '', query: '' }), {
    name: null,
    everyMinutes: null,
    options: { daysAhead: null, query: null },
  })
})

test('keeps masked values while others change', () => {
  const { headers } = formValuesOf(SOURCE)
  assert.equal(headers, `X-Api-Key: \${SOURCE_HARBOR_KEY}\nX-Client: …\nX-Old: …`)
  const patch = patchOf({ headers: headers.replace('X-Old: …', 'X-New: 2') })
  assert.deepEqual(patch, { options: { headers: { 'X-Old': null, 'X-New': '2' } } })
  const { 'X-Old': _, ...kept } = STORED.headers
  assert.deepEqual(editOptions('fhir-search', STORED, patch.options), {
    ...STORED,
    headers: { ...kept, 'X-New': '2' },
  })
})

test('replaces or removes the authorization', () => {
  const secret = `\${SOURCE_HARBOR_JWK}`
  const patch = patchOf({ authorization: 'backend-services', secret })
  const { clientSecret: _, ...rest } = STORED.authorization
  assert.deepEqual(editOptions('fhir-search', STORED, patch.options).authorization, {
    ...rest,
    kind: 'backend-services',
    privateKey: secret,
  })
  assert.deepEqual(patchOf({ authorization: '' }), { options: { authorization: null } })
})

test('does not validate the URL of a source of files', () => {
  assert.deepEqual(editValidation({ ...SOURCE, format: 'files' }), {})
  assert.equal('url' in editValidation(SOURCE), true)
})
