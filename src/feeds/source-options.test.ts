import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DAYS_AHEAD, DAYS_AHEAD_MAX, secretsIn } from '../shared/source-fields.ts'
import { SERVER_KINDS } from '../shared/source-vocabulary.ts'
import { InvalidSourceOptions, OPTION_NAMES, parseSourceOptions } from './source-options.ts'

const KEY = '$' + '{SOURCE_KEY}'
const HOME = '$' + '{HOME}'

const CREDENTIALS = {
  kind: 'client-credentials',
  tokenUrl: 'https://id.example/token',
  clientId: 'us',
  clientSecret: KEY,
}
const BACKEND = {
  kind: 'backend-services',
  tokenUrl: 'https://id.example/token',
  clientId: 'us',
  privateKey: KEY,
  scope: 's',
}

test('accepts valid options unchanged', () => {
  for (const options of [
    {},
    { headers: { 'X-Api-Key': KEY, Accept: 'text/plain', 'User-Agent': 'us' } },
    { headers: { Authorization: `Bearer ${KEY}` }, query: { 'v[]': '2', empty: '' } },
    { daysAhead: 1 },
    { rejectedPercentMax: 0.5 },
    { daysAhead: 366, authorization: CREDENTIALS },
    { authorization: BACKEND },
  ]) {
    assert.deepEqual(parseSourceOptions('fhir-search', options), options)
  }
  assert.deepEqual(parseSourceOptions('files', {}), {})
})

/** Invalid options, the member that the error names, and its message. */
const WRONG: readonly (readonly [unknown, string, RegExp])[] = [
  [null, 'options', /^options must be an object: got "null"$/],
  [[], 'options', /must be an object/],
  [{ header: {} }, 'options', /^options has an unknown member: got "header"/],
  [{ headers: 'x' }, 'headers', /must be an object: got "x"/],
  [{ headers: { 'a b': 'x' } }, 'headers', /headers\.a b is not the name of a header/],
  [{ headers: { a: 7 } }, 'headers', /headers\.a must be one line of ASCII/],
  [{ headers: { a: 'x\r\nhost: y' } }, 'headers', /headers\.a must be one line of ASCII/],
  [{ headers: { a: 'ü' } }, 'headers', /headers\.a must be one line of ASCII/],
  [{ headers: { Host: 'x' } }, 'headers', /headers\.Host is set by the service itself/],
  [{ headers: { 'Transfer-Encoding': 'x' } }, 'headers', /headers\.Transfer-Encoding is set by the service/],
  [{ headers: { A: 'x', a: 'y' } }, 'headers', /headers\.a is given twice/],
  [{ headers: JSON.parse('{"__proto__":"x"}') }, 'headers', /headers\.__proto__ is not the name of a header/],
  [
    { headers: { 'x-api-key': 'plain' } },
    'headers',
    /headers\.x-api-key must be a reference to the environment, like \$\{SOURCE_CLINIC_KEY\}/,
  ],
  [
    { headers: { a: HOME } },
    'headers',
    /must refer to variables that begin with SOURCE_, in capitals: got "\$\{HOME\}"/,
  ],
  [{ query: { a: '$' + '{SOURCE_lower}' } }, 'query', /must refer to variables that begin with SOURCE_/],
  [{ query: { a: '$' + '{SOURCE_A' } }, 'query', /must refer to variables/],
  [{ query: { 'a b': 'x' } }, 'query', /query\.a b is not the name of a parameter/],
  [{ query: { access_token: 'plain' } }, 'query', /query\.access_token must be a reference/],
  [
    { query: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, ''])) },
    'query',
    /must be at most 20: got "21"/,
  ],
  [{ query: { a: 'x'.repeat(2001) } }, 'query', /0 to 2000 characters/],
  [{ daysAhead: 0 }, 'daysAhead', /must be a whole number from 1 to 366: got "0"/],
  [{ daysAhead: 367 }, 'daysAhead', /got "367"/],
  [{ daysAhead: '30' }, 'daysAhead', /got "30"/],
  [{ rejectedPercentMax: 101 }, 'rejectedPercentMax', /must be a number from 0 to 100: got "101"/],
  [{ rejectedPercentMax: '5' }, 'rejectedPercentMax', /got "5"/],
  [
    { authorization: { ...CREDENTIALS, kind: 'password' } },
    'authorization.kind',
    /must be client-credentials or backend-services: got "password"/,
  ],
  [
    { authorization: { ...CREDENTIALS, privateKey: KEY } },
    'authorization',
    /authorization has an unknown member: got "privateKey"/,
  ],
  [
    { authorization: { ...CREDENTIALS, tokenUrl: 'ftp://a/' } },
    'authorization.tokenUrl',
    /must be an http or https URL/,
  ],
  [{ authorization: { ...CREDENTIALS, tokenUrl: 'https://a:b@c/' } }, 'authorization.tokenUrl', /without a user/],
  [
    { authorization: { ...CREDENTIALS, clientId: '' } },
    'authorization.clientId',
    /must be one line of ASCII, 1 to 2000/,
  ],
  [{ authorization: { ...BACKEND, scope: 7 } }, 'authorization.scope', /must be one line of ASCII/],
  [{ headers: { authorization: KEY }, authorization: BACKEND }, 'headers', /headers\.authorization must be absent/],
]

test('names the invalid member and the reason', () => {
  for (const [options, field, message] of WRONG) {
    assert.throws(
      () => parseSourceOptions('fhir-search', options),
      (error) => {
        assert.ok(error instanceof InvalidSourceOptions)
        assert.equal(error.field, field)
        assert.match(error.message, message)
        return true
      },
      JSON.stringify(options)?.slice(0, 100),
    )
  }
})

test('never repeats a value in place of a secret', () => {
  for (const options of [
    { headers: { 'x-api-key': 'hunter2' } },
    { authorization: { ...CREDENTIALS, clientSecret: 'hunter2' } },
    { authorization: { ...BACKEND, privateKey: '{"d":"hunter2"}' } },
    { authorization: { ...CREDENTIALS, tokenUrl: 'https://us:hunter2@a/' } },
  ]) {
    assert.throws(
      () => parseSourceOptions('fhir-search', options),
      (error) => error instanceof InvalidSourceOptions && !error.message.includes('hunter2'),
    )
  }
})

test('rejects options that the format does not have', () => {
  assert.throws(
    () => parseSourceOptions('smart-links', { daysAhead: 3 }),
    /daysAhead needs the format fhir-search: got "smart-links"/,
  )
  assert.throws(
    () => parseSourceOptions('smart-links', { authorization: BACKEND }),
    /authorization needs the format fhir-search/,
  )
  assert.throws(() => parseSourceOptions('files', { headers: {} }), /headers must be absent: files are imported/)
})

test('lists the variables that options refer to, each once', () => {
  const two = '$' + '{SOURCE_TWO}'
  assert.deepEqual(secretsIn({ headers: { a: `${KEY} ${two}` }, query: { b: KEY } }), ['SOURCE_KEY', 'SOURCE_TWO'])
  assert.deepEqual(secretsIn({}), [])
})

test('docs/sources.md has a row for each option, and its examples can be added', () => {
  const page = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')
  const section = (title: string) => new RegExp(`\n#+ ${title}\n(.*?)\n#`, 's').exec(page)?.[1] ?? ''
  const rows = [...section('Options').matchAll(/^\| `(\w+)` \| (.+?) \| (.+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, name]) => name),
    OPTION_NAMES,
  )
  assert.ok(rows[2][3].includes(`1 to ${DAYS_AHEAD_MAX}, by default ${DAYS_AHEAD}`))
  const servers = [...section('Servers').matchAll(/^\| `([\w-]+)` \| .+ \| .+ \|$/gm)]
  assert.deepEqual(
    servers.filter(([, name]) => name !== 'server').map(([, name]) => name),
    SERVER_KINDS,
  )
  const examples = [...page.matchAll(/^```json\n(.+?)^```/gms)].map(([, json]) => JSON.parse(json))
  assert.equal(examples.length, 3)
  for (const example of examples) assert.deepEqual(parseSourceOptions('fhir-search', example), example)
})
