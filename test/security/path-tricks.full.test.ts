import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connection, KEY, OTHER_KEY, SLOTS } from '../support/http/sample-server.ts'

// No spelling of a target under /v1 yields data without a key. Requests are written to the socket as they are: clients would
// normalize them. `Boston` stands in every page of slots.

const OPERATIONS = [
  SLOTS,
  '/v1/scheduling/facets',
  '/v1/scheduling/actors',
  '/v1/scheduling/publishers',
  '/v1/scheduling/changes?since=0',
  '/v1/fhir/$bulk-publish',
]

/** Other spellings of a path that begins with /v1/. */
function spellingsOf(path: string): string[] {
  const rest = path.slice('/v1'.length)
  const encoded = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')
  return [
    path,
    `//v1${rest}`,
    `///v1${rest}`,
    `/v1/${rest}`,
    `/v1//scheduling/slots`,
    `/./v1${rest}`,
    `/x/../v1${rest}`,
    `/x/%2e%2e/v1${rest}`,
    `/v1/.${rest}`,
    `/v1/x/..${rest}`,
    `/docs/../v1${rest}`,
    `/api/../v1${rest}`,
    `/livez/../v1${rest}`,
    `/livez/..%2fv1${rest}`,
    `/livez;/..${path}`,
    `/v1;a=b${rest}`,
    `/v1%00${rest}`,
    `/%00v1${rest}`,
    `/v1%20${rest}`,
    `/v1%09${rest}`,
    `/v1%2f${rest.slice(1)}`,
    `/v1%252f${rest.slice(1)}`,
    `%2fv1${rest}`,
    `/%2fv1${rest}`,
    `/%76%31${rest}`,
    `/%76%31${encoded('/')}${rest.slice(1)}`,
    `/%2576%2531${rest}`,
    `/%u0076%u0031${rest}`,
    `/%c0%afv1${rest}`,
    `/ｖ１${rest}`,
    `\\v1${rest}`,
    `/\\v1${rest}`,
    `/V1${rest}`,
    `/V1${rest.toUpperCase()}`,
    `/v1${rest.toUpperCase()}`,
    `/v1${rest.replace('/scheduling', '/Scheduling')}`,
    `http://x${path}`,
    `http://x:80${path}`,
    `HTTP://x${path}`,
    `https://x${path}`,
    `http://x@y${path}`,
    `http://x/${path}`,
    `ftp://x${path}`,
    `//x${path}`,
    `/http://x${path}`,
    `${path}#`,
    `/#${path}`,
    `/?${path}`,
    `/livez?${path}`,
    `/livez${path}`,
    `/mcp/..${path}`,
    `${path}/`,
    `${path}.json`,
    `${path}%00.json`,
    `*${path}`,
    `?${path}`,
  ]
}

/** Where a key does not count. */
const WRONG_KEYS = [
  '',
  'Authorization: \r\n',
  'Authorization: Bearer\r\n',
  'Authorization: Bearer null\r\n',
  `Authorization: Basic ${btoa(`x:${KEY}`)}\r\n`,
  `Authorization: Bearer ${KEY.slice(0, -1)}\r\n`,
  `Authorization: Bearer ${KEY}, Bearer ${OTHER_KEY}\r\n`,
  `Cookie: key=${KEY}; x-api-key=${KEY}\r\n`,
  `X-Forwarded-Authorization: Bearer ${KEY}\r\n`,
  'X-Original-URL: /livez\r\nX-Rewrite-URL: /livez\r\n',
  'X-HTTP-Method-Override: OPTIONS\r\n',
  'X-Forwarded-For: 127.0.0.1\r\nX-Real-IP: 127.0.0.1\r\n',
]

async function send(head: string): Promise<string> {
  const socket = connection()
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(head)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const get = (target: string, headers = '', method = 'GET') =>
  send(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)

function assertNoData(response: string, what: string): void {
  assert.match(response, /^HTTP\/1\.1 (200|204|3\d\d|4\d\d) /, what)
  for (const data of ['Boston', '"slots"', '"free"', '"total"', 'north', 'Bundle', 'transactionTime']) {
    assert.ok(!response.includes(data), `${what}: ${response.slice(0, 500)}`)
  }
}

test('the key gives the data that no spelling may give without it', async () => {
  const response = await get(SLOTS, `X-API-Key: ${KEY}\r\n`)
  assert.match(response, /^HTTP\/1\.1 200 /)
  assert.match(response, /Boston/)
})

for (const operation of OPERATIONS) {
  test(`no spelling of ${operation} yields data without a key`, async () => {
    for (const target of spellingsOf(operation)) assertNoData(await get(target), target)
  })
}

test('no header but the two of the contract carries a key', async () => {
  for (const headers of WRONG_KEYS) {
    const response = await get(SLOTS, headers)
    assert.match(response, /^HTTP\/1\.1 40[01] /, headers)
    assertNoData(response, headers)
  }
})

test('a key in the query is no key', async () => {
  for (const name of ['key', 'api_key', 'apikey', 'access_token', 'x-api-key', 'authorization']) {
    const response = await get(`${SLOTS}?${name}=${KEY}`)
    assert.match(response, /^HTTP\/1\.1 401 /, name)
    assertNoData(response, name)
  }
})

test('no method yields data without a key', async () => {
  for (const method of [
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'PROPFIND',
    'QUERY',
    'TRACE',
    'SEARCH',
    'LINK',
  ])
    assertNoData(await get(SLOTS, '', method), method)
})

test('the key of one pipelined request is not that of the next', async () => {
  const request = (headers: string) => `GET ${SLOTS} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
  const [first, second] = (await send(request(`X-API-Key: ${KEY}\r\n`) + request('Connection: close\r\n'))).split(
    /(?<=\})(?=HTTP\/1\.1 )/,
  )
  assert.match(first, /^HTTP\/1\.1 200 [\s\S]*Boston/)
  assert.match(second, /^HTTP\/1\.1 401 /)
  assertNoData(second, 'second')
})
