import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { listenOnLoopback } from '../../../test/support/listen-on-loopback.ts'
import { assertAllowedHost } from './allowed-hosts.ts'
import { PublisherClient } from './publisher-client.ts'

const isAllowed = (url: string, ...hosts: string[]) => {
  try {
    assertAllowedHost(new URL(url), hosts)
    return true
  } catch {
    return false
  }
}

test('allows any host without a list, and none with an empty one', () => {
  assertAllowedHost(new URL('https://a.example.org'), undefined)
  assert.equal(isAllowed('https://a.example.org'), false)
})

test('allows names of the list and names below a domain', () => {
  for (const url of [
    'https://a.example.org:8443/x',
    'https://A.Example.org',
    'https://a.example.org.',
    'https://b.c.example.com',
  ])
    assert.equal(isAllowed(url, 'a.example.org', '*.example.com'), true, url)
  assert.equal(isAllowed('https://[2600::1]/', '2600::1'), true)
})

test('refuses similar names and other forms', () => {
  for (const url of [
    'https://b.a.example.org',
    'https://example.org',
    'https://example.com',
    'https://evilexample.com',
    'https://a.example.org.evil.net',
    'https://a.example.org@evil.net/',
    'https://evil.net/#a.example.org',
    'https://evil.net\\.example.com',
    'file:///etc/passwd',
  ])
    assert.equal(isAllowed(url, 'a.example.org', '*.example.com'), false, url)
})

async function redirector(t: TestContext): Promise<{ port: number; hits: string[] }> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.headers.host} ${request.url}`)
    if (request.url === '/go') response.writeHead(302, { location: `http://127.0.0.1:${port}/canary` })
    response.end('ok')
  })
  const { port } = await listenOnLoopback(t, server)
  return { port, hits }
}

test('a redirect, a file and a token endpoint at another host are refused before any connection', async (t) => {
  const { port, hits } = await redirector(t)
  const start = new URL(`http://localhost:${port}/go`)
  const client = new PublisherClient(
    start,
    { allowPrivate: true, allowedHosts: ['localhost'] },
    AbortSignal.timeout(60_000),
  )
  t.after(() => client.close())
  const refused = { message: /the host 127\.0\.0\.1 is not in ALLOWED_SOURCE_HOSTS/ }
  const other = new URL(`http://127.0.0.1:${port}/canary`)
  await assert.rejects(client.get(start, { accept: 'application/json' }), refused)
  await assert.rejects(client.get(other, { accept: 'application/json' }), refused)
  await assert.rejects(client.post(other, 'grant_type=client_credentials', {}), refused)
  assert.deepEqual(hits, [`localhost:${port} /go`])
})
