import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import packageJson from '../package.json' with { type: 'json' }
import { MCP_PATH } from '../src/http/relay.ts'
import { REGISTRY_ENTRY_SCHEMA } from './support/registry-entry-schema.ts'

const TEXT = readFileSync(new URL('../server.json', import.meta.url), 'utf8')

const ajv = new Ajv2020({ strict: true, allErrors: true })
formats.default(ajv)
const validate = ajv.compile(REGISTRY_ENTRY_SCHEMA)

test('server.json matches the schema of the MCP registry', () => {
  assert.ok(validate(JSON.parse(TEXT)), ajv.errorsText(validate.errors))
})

test('server.json has the version of the package, and leads to MCP with a key that stays secret', () => {
  const { version, remotes } = JSON.parse(TEXT)
  assert.equal(version, packageJson.version)
  const [{ type, url, variables, headers }] = remotes
  assert.deepEqual([type, url], ['streamable-http', `https://{host}${MCP_PATH}`])
  assert.deepEqual(Object.keys(variables), ['host'])
  const [authorization] = headers
  assert.deepEqual([authorization.name, authorization.value], ['Authorization', 'Bearer {key}'])
  assert.deepEqual([authorization.isSecret, authorization.variables.key.isSecret], [true, true])
})

test('the schema rejects what the registry rejects', () => {
  for (const change of [
    { name: 'scheduling-slots' },
    { description: 'x'.repeat(101) },
    { version: 'latest' },
    { remotes: [{ type: 'http', url: 'https://slots.example.org/mcp' }] },
    { remotes: [{ type: 'streamable-http', url: 'slots.example.org/mcp' }] },
    { remote: [] },
  ])
    assert.equal(validate({ ...JSON.parse(TEXT), ...change }), false, JSON.stringify(change))
})
