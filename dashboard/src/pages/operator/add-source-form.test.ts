import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSourceOptions } from '../../../../src/feeds/source-options.ts'
import { ApiError } from '../../api/client.ts'
import {
  atField,
  canCheck,
  EMPTY_SOURCE,
  type SourceValues,
  sourceBody,
  sourceFaults,
} from './add-source-form.ts'

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
  const { headers, query, slug } = sourceFaults(['taken'])
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
    (atField(new ApiError({ status: 400, code: 'invalid-field', message: '', field })) as ApiError).field
  assert.equal(fieldOf('options.headers'), 'headers')
  assert.equal(fieldOf('options.daysAhead'), 'daysAhead')
  assert.equal(fieldOf('options.authorization'), 'authorization')
  assert.equal(fieldOf('options.authorization.tokenUrl'), 'tokenUrl')
  assert.equal(fieldOf('options.authorization.clientSecret'), 'secret')
  assert.equal(fieldOf('options.authorization.privateKey'), 'secret')
  assert.equal(fieldOf('slug'), 'slug')
})
