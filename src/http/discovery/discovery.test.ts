import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, NOW_MS, state } from '../../../test/support/http/sample-server.ts'
import { DAY_MS } from '../../lib/time.ts'

const BASE = 'https://slots.example'

test('the catalog lists each API with its description, as a linkset', async () => {
  const { status, headers, json } = await ask('/.well-known/api-catalog', {})
  assert.deepEqual(
    [status, headers['content-type'], headers.link, headers['access-control-allow-origin']],
    [
      200,
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      `<${BASE}/.well-known/api-catalog>; rel="api-catalog"`,
      '*',
    ],
  )
  const [catalog, ...apis] = json.linkset
  assert.equal(catalog.anchor, `${BASE}/.well-known/api-catalog`)
  const anchors = apis.map(({ anchor }: { anchor: string }) => anchor)
  assert.deepEqual(
    anchors,
    ['/v1', '/mcp', '/v1/fhir/$bulk-publish', '/fhir/$bulk-publish'].map((path) => BASE + path),
  )
  assert.deepEqual(
    catalog.item.map(({ href }: { href: string }) => href),
    anchors,
  )
  const [head, again] = [
    await ask('/.well-known/api-catalog', {}, 'HEAD'),
    await ask('/.well-known/api-catalog', { 'if-none-match': String(headers.etag) }),
  ]
  assert.deepEqual([head.status, head.text, head.headers.link], [200, '', headers.link])
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('web pages of any origin may read the catalog and the statement, also conditionally', async () => {
  for (const path of ['/.well-known/api-catalog', '/.well-known/security.txt', '/fhir/metadata']) {
    const asked = { origin: 'https://finder.example', 'access-control-request-method': 'GET' }
    const preflight = await ask(path, { ...asked, 'access-control-request-headers': 'if-none-match' }, 'OPTIONS')
    const names = ['origin', 'methods', 'headers'].map((name) => preflight.headers[`access-control-allow-${name}`])
    assert.deepEqual([preflight.status, ...names], [204, '*', 'GET, HEAD, OPTIONS', '*, Authorization'])
    const { headers } = await ask(path, { origin: 'https://finder.example' })
    assert.match(String(headers['access-control-expose-headers']), /ETag/)
  }
  assert.equal((await ask('/readyz', {}, 'OPTIONS')).headers['access-control-allow-origin'], undefined)
})

test('every description in the catalog that this service has exists and has the stated type', async () => {
  const { json } = await ask('/.well-known/api-catalog', {})
  const links = json.linkset.flatMap((entry: Record<string, unknown>) =>
    ['service-desc', 'service-meta', 'status'].flatMap((relation) => entry[relation] ?? []),
  )
  assert.ok(links.length >= 7)
  for (const { href, type } of links as { href: string; type: string }[]) {
    const { status, headers } = await ask(href.slice(BASE.length), {})
    assert.deepEqual([status, headers['content-type']], [200, type], href)
  }
})

test('security.txt has the contact of the operator and expires within a year; without a contact it is 404', async (t) => {
  const { status, headers, text } = await ask('/.well-known/security.txt', {})
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  const fields = new Map(text.split('\r\n').map((line) => line.split(': ') as [string, string]))
  assert.equal(fields.get('Contact'), 'mailto:security@slots.example')
  assert.equal(fields.get('Canonical'), `${BASE}/.well-known/security.txt`)
  const expiresMs = Date.parse(fields.get('Expires') ?? '')
  assert.ok(expiresMs > NOW_MS + 30 * DAY_MS && expiresMs < NOW_MS + 365 * DAY_MS, fields.get('Expires'))
  const contact = state.securityContact
  t.after(() => {
    state.securityContact = contact
  })
  state.securityContact = undefined
  const none = await ask('/.well-known/security.txt', {})
  assert.deepEqual([none.status, none.json.error], [404, 'Not found'])
})

test('the CapabilityStatement states the published resources and the operation, and no interaction', async () => {
  const { status, headers, json } = await ask('/fhir/metadata', { accept: 'application/fhir+json' })
  assert.deepEqual([status, headers['content-type']], [200, 'application/fhir+json'])
  assert.deepEqual(
    [json.resourceType, json.fhirVersion, json.kind, json.status],
    ['CapabilityStatement', '4.0.1', 'instance', 'active'],
  )
  assert.deepEqual([json.url, json.implementation.url], [`${BASE}/fhir/metadata`, `${BASE}/fhir`])
  const [{ mode, security, resource, operation }] = json.rest
  assert.deepEqual([mode, security.cors], ['server', true])
  assert.ok(resource.every((one: object) => !('interaction' in one) && !('searchParam' in one)))
  assert.deepEqual(
    operation.map(({ name }: { name: string }) => name),
    ['bulk-publish'],
  )
})

test('the operation and the types of the CapabilityStatement are those of the feed', async () => {
  const { json: statement } = await ask('/fhir/metadata', {})
  const { status, headers, json } = await ask(`${new URL(statement.implementation.url).pathname}/$bulk-publish`, {})
  assert.deepEqual([status, headers['access-control-allow-origin']], [200, '*'])
  const stated = statement.rest[0].resource.map(({ type }: { type: string }) => type)
  for (const { type } of json.output) assert.ok(stated.includes(type), type)
  for (const type of ['Slot', 'Schedule', 'Location']) assert.ok(stated.includes(type))
  assert.ok(statement.format.includes(json.outputFormat))
})
