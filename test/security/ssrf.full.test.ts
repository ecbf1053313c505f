import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { after, before, beforeEach, test } from 'node:test'
import { connectorsOf } from '../../src/feeds/connectors.ts'
import { postWebhook } from '../../src/notifications/webhook.ts'
import { sourceChecker } from '../../src/workers/check-source.ts'
import { withoutDns } from '../support/feeds/conformance/public-name.ts'
import { RecordedDraft } from '../support/feeds/recorded-draft.ts'

// Server-side request forgery: every way to name this machine or a private network, as a source, a redirect, a file of a manifest, a
// webhook and a checked feed. A canary on loopback (IPv4 and IPv6) counts the connections that reach it: none may.

/** `PORT` is the canary's. */
const LOOPBACK = [
  // The forms that URL parsers turn into 127.0.0.1.
  'http://127.0.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0x0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://１２７．０．０．１:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127.0.0.1%2e:PORT/',
  'http://user:password@127.0.0.1:PORT/',
  'http://public.example@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@public.example/',
  'http:\\\\127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/ ',
  'ht\ttp://127.0\n.0.1:PORT/',
  'HTTP://LOCALHOST:PORT/',
  'http://localhost:PORT/',
  'http://localhost.:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
  // Other addresses of this machine.
  'http://127.0.0.2:PORT/',
  'http://127.255.255.254:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://0x0:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::]:PORT/',
  // IPv4 inside of IPv6: mapped, compatible, translated.
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
]

const PRIVATE = [
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::1]:PORT/',
  'http://[fc00::1]:PORT/',
  'http://[fd00::1]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fec0::1]:PORT/',
  'http://[ff02::1]:PORT/',
  'http://[100::1]:PORT/',
  'http://[2001:db8::1]:PORT/',
  'http://10.0.0.1:PORT/',
  'http://172.16.0.1:PORT/',
  'http://192.168.0.1:PORT/',
  'http://100.64.0.1:PORT/',
  'http://192.0.2.2:PORT/',
  'http://198.18.0.1:PORT/',
  'http://224.0.0.1:PORT/',
  'http://255.255.255.255:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://metadata.google.internal/computeMetadata/v1/',
  `http://${hostname()}:PORT/`,
  'http://ip6-localhost:PORT/',
]

const SCHEMES = [
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_GET%20/',
  'dict://127.0.0.1:PORT/',
  'ldap://127.0.0.1:PORT/',
  'ws://127.0.0.1:PORT/',
  'unix:/var/run/docker.sock',
  'data:application/json,{"output":[]}',
  'javascript:0',
  'blob:http://127.0.0.1:PORT/x',
  'jar:http://127.0.0.1:PORT/!/',
  'about:blank',
]

const FORMS = [...LOOPBACK, ...PRIVATE, ...SCHEMES]

const REDIRECTS = [301, 302, 303, 307, 308]

let reached = 0
let canaryPort = 0
let publisherPort = 0
let publish: RequestListener = () => {}

const canary = createServer((_, response) => response.end('{"output":[]}'))
const publisher = createServer((request, response) => publish(request, response))

before(async () => {
  canary.on('connection', () => reached++)
  await new Promise<void>((listening) => canary.listen(0, '::', listening))
  await new Promise<void>((listening) => publisher.listen(0, '127.0.0.1', listening))
  canaryPort = (canary.address() as AddressInfo).port
  publisherPort = (publisher.address() as AddressInfo).port
})

beforeEach(() => {
  reached = 0
})

after(() => {
  for (const server of [canary, publisher]) {
    server.close()
    server.closeAllConnections()
  }
})

const formOf = (form: string) => form.replace('PORT', String(canaryPort))
const publicUrl = () => `http://feed.test:${publisherPort}/$bulk-publish`

function read(url: string, format: 'smart-links' | 'fhir-search' = 'smart-links', allowPrivateSources = false) {
  const source = { slug: 'clinic', format, url, options: {}, strict: false }
  const connector = connectorsOf({ allowPrivateSources })(source)
  return connector.read(source, new RecordedDraft(), AbortSignal.timeout(20_000))
}

async function failsFor(form: string, act: (url: string) => Promise<unknown>): Promise<void> {
  await assert.rejects(act(formOf(form)), { name: 'FeedFailure' }, form)
  assert.equal(reached, 0, `${form} reached the canary`)
}

test('the canary notices the forms of loopback where private addresses are allowed', async () => {
  const noticed = []
  for (const form of LOOPBACK) {
    reached = 0
    await read(formOf(form), 'smart-links', true).catch(() => undefined)
    if (reached > 0) noticed.push(form)
  }
  assert.ok(noticed.length >= 25, `only ${noticed.length}: ${noticed.join(' ')}`)
})

for (const format of ['smart-links', 'fhir-search'] as const) {
  test(`no URL of a ${format} source reaches a private address`, async () => {
    for (const form of FORMS) await failsFor(form, (url) => read(url, format))
  })
}

for (const status of REDIRECTS) {
  test(`no redirect ${status} reaches a private address`, async () => {
    await withoutDns('feed.test', async () => {
      for (const form of FORMS) {
        await failsFor(form, (url) => {
          publish = (_, response) => response.writeHead(status, { location: asHeader(url) }).end()
          return read(publicUrl())
        })
      }
    })
  })
}

test('no chain of redirects reaches a private address', async () => {
  await withoutDns('feed.test', async () => {
    await failsFor('http://127.0.0.1:PORT/', (url) => {
      publish = (request, response) => {
        const next = request.url?.endsWith('/3') ? url : `${publicUrl()}/${Number(request.url?.at(-1)) + 1 || 1}`
        response.writeHead(302, { location: next }).end()
      }
      return read(publicUrl())
    })
  })
})

for (const type of ['Slot', 'Location']) {
  test(`no ${type} file of a manifest reaches a private address`, async () => {
    await withoutDns('feed.test', async () => {
      for (const form of FORMS) {
        publish = (_, response) => response.end(JSON.stringify({ output: [{ type, url: formOf(form) }] }))
        await read(publicUrl()).catch((error) => assert.equal(error.name, 'FeedFailure', form))
        assert.equal(reached, 0, `${form} reached the canary`)
      }
    })
  })
}

test('no link to the next page of a FHIR server reaches a private address', async () => {
  await withoutDns('feed.test', async () => {
    for (const form of FORMS) {
      const link = [{ relation: 'next', url: formOf(form) }]
      publish = (_, response) => response.end(JSON.stringify({ resourceType: 'Bundle', link, entry: [] }))
      await read(publicUrl(), 'fhir-search').catch((error) => assert.equal(error.name, 'FeedFailure', form))
      assert.equal(reached, 0, `${form} reached the canary`)
    }
  })
})

test('no webhook and no checked feed reaches a private address', async () => {
  const check = sourceChecker({ allowPrivate: false })
  const hook = { secrets: [`whsec_${btoa('x'.repeat(32))}`], id: 'msg_1', text: '{}', atMs: 0 }
  const options = { allowPrivate: false, signal: AbortSignal.timeout(20_000), purpose: 'alerts' } as const
  for (const form of FORMS) {
    const url = formOf(form)
    await assert.rejects(postWebhook({ ...hook, url: url.replace('http:', 'https:') }, options), form)
    if (URL.canParse(url)) assert.equal((await check(url)).ok, false, form)
    assert.equal(reached, 0, `${form} reached the canary`)
  }
})

/** A header holds no line breaks, and other characters as their UTF-8 bytes. */
function asHeader(url: string): string {
  return Buffer.from(url.replace(/[\t\n]/g, '')).toString('latin1')
}
