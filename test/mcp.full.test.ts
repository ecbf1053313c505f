import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mintKey } from '../src/keys/mint-key.ts'
import { freePort } from './support/free-port.ts'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'

/** The command of docs/guide/mcp.md, and the same without npm, which takes half as long. */
const COMMANDS = {
  documented: ['npm', '--prefix', ROOT, 'run', '-s', 'slots', '--', 'mcp'],
  direct: [process.execPath, join(ROOT, 'src/main.ts'), 'mcp'],
} as const

const ENV = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }

let sample: SampleService

before(async () => {
  // On Linux two threads answer, so that one of them has to pass messages on.
  const env = process.platform === 'linux' ? { WORKERS: '2' } : {}
  sample = await SampleService.serve({ slots: 500, env })
})

after(() => sample[Symbol.asyncDispose]())

interface Found {
  readonly total: number
  readonly slots: readonly { readonly id: string; readonly start: string; readonly status: string }[]
  readonly nextCursor?: string
}

/** The SDK's client, connected in one of the two ways; closed after `use`. */
const WAYS: Readonly<Record<string, (key: string) => Transport>> = {
  http: (key) => {
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    return new StreamableHTTPClientTransport(new URL(`${sample.service.origin}/mcp`), {
      requestInit,
    }) as Transport
  },
  stdio: (key) => command(key, sample.service.origin),
}

function command(key: string, url: string, [program, ...args]: readonly string[] = COMMANDS.direct): Transport {
  return new StdioClientTransport({
    command: program,
    args: [...args, '--url', url],
    env: { ...ENV, SLOTS_API_KEY: key },
    stderr: 'ignore',
  })
}

/** The revisions of the protocol: the handshake of 2025, and requests that each carry what the handshake said. */
const REVISIONS = {
  '2025-11-25': 'legacy',
  '2026-07-28': { pin: '2026-07-28' },
} as const
type Revision = keyof typeof REVISIONS

async function withClient(
  transport: Transport,
  use: (client: Client) => Promise<void>,
  revision: Revision = '2025-11-25',
): Promise<void> {
  const versionNegotiation = { mode: REVISIONS[revision] }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation })
  try {
    await client.connect(transport, { timeout: 30_000 })
    await use(client)
  } finally {
    await client.close()
  }
}

/** What a tool answers: the client has checked it against the tool's schema. */
async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as { text: string }[]
  return { text, isError, found: structuredContent as unknown }
}

const COMBINATIONS = Object.entries(WAYS).flatMap(([way, transportTo]) =>
  (Object.keys(REVISIONS) as Revision[]).map((revision) => ({ way, transportTo, revision })),
)

for (const { way, transportTo, revision } of COMBINATIONS) {
  test(`over ${way} by revision ${revision}, an assistant pages through the same slots as the list`, {
    timeout: 60_000,
  }, async () => {
    const page = async (client: Client) => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      const { tools } = await client.listTools()
      assert.equal(tools.length, 7)
      assert.deepEqual(
        tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name),
        ['create_subscription'],
      )
      const { body } = await sample.service.slots(sample.key, 'state=MA&isVirtual=true&limit=5')
      const args = { state: ['MA'], isVirtual: true, limit: 3 }
      const first = (await call(client, 'search_slots', args)).found as Found
      const next = (await call(client, 'search_slots', { ...args, cursor: first.nextCursor })).found as Found
      assert.equal(first.total, body.total)
      assert.deepEqual(
        [...first.slots, ...next.slots].slice(0, 5).map(({ id, start }) => ({ id, start })),
        body.slots.map(({ id, start }) => ({ id, start })),
      )
      const [{ id }] = first.slots
      const { slot } = (await call(client, 'get_slot', { id })).found as { slot: Found['slots'][number] }
      assert.deepEqual([slot.id, slot.status], [id, 'free'])
    }
    await withClient(transportTo(sample.key), page, revision)
  })
}

for (const [way, transportTo] of Object.entries(WAYS)) {
  test(`over ${way}, an assistant lists states and services with their slots`, {
    timeout: 60_000,
  }, async () => {
    await withClient(transportTo(sample.key), async (client) => {
      const { states } = (await call(client, 'list_states')).found as {
        states: { state: string; slots: number }[]
      }
      const { body } = await sample.service.slots(sample.key, 'state=MA')
      assert.equal(states.find(({ state }) => state === 'MA')?.slots, body.total)
      const { services } = (await call(client, 'list_services', { state: 'MA' })).found as {
        services: { serviceTypeCode: string; slots: number }[]
      }
      const [{ serviceTypeCode, slots }] = services
      const { total } = (await call(client, 'search_slots', { state: 'MA', serviceTypeCode })).found as Found
      assert.equal(total, slots)
      const { publishers } = (await call(client, 'list_publishers')).found as {
        publishers: { publisher: string }[]
      }
      assert.deepEqual(
        publishers.map(({ publisher }) => publisher),
        ['sample'],
      )
    })
  })

  test(`over ${way}, an assistant gets errors with the allowed values`, {
    timeout: 60_000,
  }, async () => {
    await withClient(transportTo(sample.key), async (client) => {
      const wrong = await call(client, 'search_slots', { state: ['Massachusets'] })
      assert.equal(wrong.isError, true)
      assert.match(wrong.text, /state must be a US state by code or name, such as MA .*: got "Massachusets"/)
      const gone = await call(client, 'get_slot', { id: '0'.repeat(24) })
      assert.match(gone.text, /404.*no longer lists it/)
      const none = await call(client, 'search_slots', { state: 'MA', startBefore: '2020-01-01T00:00:00Z' })
      assert.match(
        none.text,
        /^No free slot matches\. The next matching slot outside the requested period starts at 20/,
      )
    })
  })
}

for (const { way, transportTo, revision } of COMBINATIONS) {
  test(`over ${way} by revision ${revision}, an assistant creates and lists subscriptions as a key does`, {
    timeout: 60_000,
  }, async () => {
    const path = '/v1/scheduling/subscriptions'
    const stored = await fetch(`${sample.service.origin}${path}`, { headers: { 'x-api-key': sample.key } })
    const { subscriptions: before } = (await stored.json()) as { subscriptions: unknown[] }
    const create = async (client: Client) => {
      const { tools } = await client.listTools()
      const { annotations } = tools.find(({ name }) => name === 'create_subscription') ?? {}
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations ?? {}
      assert.deepEqual([readOnlyHint, destructiveHint, idempotentHint], [false, false, false])
      const args = { url: 'https://app.example.com/hook', filters: { state: ['MA'], isVirtual: true } }
      const created = await call(client, 'create_subscription', { ...args, description: 'Boston', events: null })
      const { subscription, secret } = created.found as { subscription: Record<string, unknown>; secret: string }
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.ok(created.text.includes(secret))
      const { id, ...rest } = subscription
      const settings = { events: ['slots.opened'], minIntervalSeconds: 60, description: 'Boston' }
      assert.deepEqual(rest, { ...args, ...settings, status: 'pending' })
      const listed = await call(client, 'list_subscriptions', { limit: 1 })
      const { subscriptions, nextCursor } = listed.found as { subscriptions: object[]; nextCursor?: string }
      // The first attempt to verify the address may have failed already.
      const [first, ...others] = subscriptions.map((each) => ({ ...each, failingSince: undefined }))
      assert.deepEqual(first, { ...subscription, failingSince: undefined })
      assert.deepEqual([others, nextCursor !== undefined], [[], before.length > 0])
      assert.ok(listed.text.includes(`${id}: pending, https://app.example.com/hook, filters {"state":["MA"]`))
      assert.ok(!listed.text.includes(secret))
      for (const [wrong, message] of [
        [{ ...args, filters: { state: 'M' } }, /returned 400\. filters\.state must be a US state .*: got "M"/],
        [{ ...args, url: 'https://127.0.0.1/' }, /url must have a public host/],
        [{ url: args.url }, /filters is required/],
        [{ ...args, colour: 'red' }, /Unknown field "colour"/],
      ] as const) {
        const { isError, text } = await call(client, 'create_subscription', wrong)
        assert.equal(isError, true)
        assert.match(text, message)
      }
    }
    await withClient(transportTo(sample.key), create, revision)
  })
}

test('/mcp rejects requests without a key and from other origins', async () => {
  const transport = WAYS.http(mintKey())
  await assert.rejects(
    withClient(transport, async () => {}),
    /401|API key|Unauthorized/i,
  )
  const headers = {
    'x-api-key': sample.key,
    origin: 'https://evil.example',
    'content-type': 'application/json',
  }
  const response = await fetch(`${sample.service.origin}/mcp`, { method: 'POST', headers, body: '{}' })
  assert.equal(response.status, 403)
})

test('/mcp rejects a body beyond the limit, and every response has the API headers', async () => {
  const headers = { 'x-api-key': sample.key, 'content-type': 'application/json' }
  const large = await fetch(`${sample.service.origin}/mcp`, {
    method: 'POST',
    headers,
    body: 'x'.repeat(70_000),
  })
  assert.equal(large.status, 413)
  const other = await fetch(`${sample.service.origin}/mcp`, { headers })
  assert.deepEqual([other.status, other.headers.get('cache-control')], [405, 'no-store'])
  assert.ok(other.headers.get('x-request-id'))
})

test('the command reports missing settings and prints no key', { timeout: 60_000 }, async () => {
  const key = `${mintKey().slice(0, -1)}`
  for (const [args, env, message] of [
    [[], {}, /SLOTS_API_KEY must be an API key/],
    [[], { SLOTS_API_KEY: key }, /SLOTS_API_KEY must be an API key/],
    [['--url', 'ftp://x'], { SLOTS_API_KEY: mintKey() }, /Invalid --url: must be an http or https URL/],
  ] as const) {
    const options = { env: { ...ENV, ...env }, timeout: 30_000 }
    const [program, ...command] = COMMANDS.direct
    await assert.rejects(
      promisify(execFile)(program, [...command, ...args], options),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
        assert.deepEqual([code, stdout], [2, ''])
        assert.match(stderr, message)
        assert.ok(!stderr.includes(key))
        return true
      },
    )
  }
})

test('the command answers what was asked before its input ends', { timeout: 60_000 }, async () => {
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const messages = [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    ...['list_states', 'list_publishers'].map((name, at) => ({ id: at + 2, method: 'tools/call', params: { name } })),
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const [program, ...args] = COMMANDS.direct
  const env = { ...ENV, SLOTS_API_KEY: sample.key }
  const run = promisify(execFile)(program, [...args, '--url', sample.service.origin], { env, timeout: 30_000 })
  run.child.stdin?.end(messages.join(''))
  const { stdout } = await run
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  assert.deepEqual(ids.sort(), [1, 2, 3])
})

test('the documented command reports a rejected key to the assistant', { timeout: 60_000 }, async () => {
  await withClient(command(mintKey(), sample.service.origin, COMMANDS.documented), async (client) => {
    const { text, isError } = await call(client, 'list_states')
    assert.equal(isError, true)
    assert.match(text, /returned 401\. Create a free key/)
  })
})

test('the command reports an unavailable service to the assistant', { timeout: 60_000 }, async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  await withClient(command(sample.key, url), async (client) => {
    const { text, isError } = await call(client, 'list_states')
    assert.deepEqual([isError, text], [true, `The service at ${url} cannot be reached: ECONNREFUSED.`])
  })
})
