import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optionRows } from './source-options.ts'

test('options are shown by their names and the variables they need, never by their values', () => {
  const rows = optionRows({
    headers: { 'X-Api-Key': `\${SOURCE_HARBOUR_KEY}`, Accept: 'a value' },
    query: { tenant: 'another value' },
    daysAhead: 14,
    authorization: {
      kind: 'client-credentials',
      tokenUrl: 'https://publisher.example/token',
      clientId: 'a client',
      clientSecret: `\${SOURCE_HARBOUR_SECRET}`,
    },
  })
  assert.deepEqual(
    rows.map(({ name, names }) => `${name}: ${names.join(', ')}`),
    [
      'Headers: X-Api-Key, Accept',
      'Query parameters: tenant',
      'Days ahead: 14',
      'Authorization: Client credentials (OAuth 2.0)',
      'Variables it needs: SOURCE_HARBOUR_KEY, SOURCE_HARBOUR_SECRET',
    ],
  )
  assert.deepEqual(optionRows({}), [])
})
