import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { buildPackage } from '../client/build/build-package.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'

// The receivers of the guide as they are printed; only ports differ.

const RECEIVERS = [
  { language: 'ts', command: process.execPath, file: 'receiver.mts' },
  { language: 'python', command: 'python3', file: 'receiver.py' },
] as const

let sample: SampleService
/** Of the receivers, with the package of the client. */
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-receivers-'))
  const client = join(folder, 'node_modules/scheduling-slots')
  await mkdir(client, { recursive: true })
  await cp(join(ROOT, 'client/package.json'), join(client, 'package.json'))
  await buildPackage(join(client, 'dist'))
  sample = await SampleService.serve({ slots: 2000, env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } })
})

after(async () => {
  await sample?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

for (const { language, command, file } of RECEIVERS) {
  const skip = spawnSync(command, ['--version']).status !== 0 && `this machine has no ${command}`
  test(`the receiver of the guide in ${language} is verified, gets slots of Massachusetts, and refuses forgeries`, {
    skip,
  }, async () => {
    const port = await freePort()
    const { id, secret } = await createAsPrinted(port)
    await writeFile(join(folder, file), blockOf(language, 'createServer|HTTPServer', port))
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret }
    const receiver = spawn(command, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const events = printedBy(receiver)
    try {
      await eventually(async () => (await subscription(id)).status === 'active')
      assert.deepEqual(
        events.map(({ type }) => type),
        ['subscription.verification'],
      )
      await sample.passHour()
      const { data } = await eventually(() => events.find(({ type }) => type === 'slots.opened'))
      await assertOpened(data, id)
      const before = events.length
      assert.equal(await sendForged(port), 400)
      assert.equal(events.length, before)
    } finally {
      receiver.kill()
      await call(`/${id}`, 'DELETE')
    }
  })
}

/** All slots of an event are in Massachusetts, and its link has them, too. */
async function assertOpened(data: OpenedEvent['data'], id: string): Promise<void> {
  assert.equal(data.subscriptionId, id)
  assert.ok(data.total > 0)
  assert.equal(data.ids.length, data.total)
  assert.ok(data.slots.length > 0 && data.slots.length <= 25)
  for (const { status, location, serviceStates = [] } of data.slots)
    assert.deepEqual([status, [location?.state, ...serviceStates].includes('MA')], ['free', true])
  const changed = await changedSince(data.changes)
  assert.deepEqual(
    data.ids.filter((id) => !changed.has(id)),
    [],
  )
}

/** The ids of all slots on the pages of this link that were not removed. */
async function changedSince(link: string): Promise<Set<string>> {
  const { pathname, searchParams } = new URL(link)
  searchParams.set('limit', '1000')
  const ids = new Set<string>()
  for (;;) {
    const headers = { authorization: `Bearer ${sample.key}` }
    const response = await fetch(`${sample.service.origin}${pathname}?${searchParams}`, { headers })
    assert.equal(response.status, 200)
    const { changes, revision }: ChangesPage = JSON.parse(await response.text())
    for (const { slot } of changes) if (slot !== undefined) ids.add(slot.id)
    if (changes.length === 0) return ids
    searchParams.set('since', revision)
  }
}

interface ChangesPage {
  readonly changes: readonly { readonly slot?: { readonly id: string } }[]
  readonly revision: string
}

async function createAsPrinted(port: number): Promise<{ id: string; secret: string }> {
  const code = blockOf('sh', '/v1/scheduling/subscriptions', port)
  const env = { PATH: process.env.PATH, SLOTS_API_KEY: sample.key }
  const { stdout } = await promisify(execFile)('bash', ['-c', code], { env })
  const { id, secret, status, message } = JSON.parse(stdout)
  assert.equal(status, 'pending', message)
  return { id, secret }
}

/** The code in the guide that contains this pattern. */
function blockOf(language: string, pattern: string, port: number): string {
  const guide = readFileSync(join(ROOT, 'docs/guide/webhooks.md'), 'utf8')
  const found = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, name, code]) => name === language && new RegExp(pattern).test(code),
  )
  assert.ok(found, language)
  return found[2].replaceAll('http://localhost:8080', sample.service.origin).replaceAll('8081', String(port))
}

interface OpenedSlot {
  readonly status: string
  readonly location?: { readonly state?: string }
  readonly serviceStates?: readonly string[]
}

interface OpenedEvent {
  readonly type: string
  readonly data: {
    readonly subscriptionId: string
    readonly total: number
    readonly ids: readonly string[]
    readonly slots: readonly OpenedSlot[]
    readonly changes: string
  }
}

/** The events that a receiver prints, one per line. */
function printedBy({ stdout }: ChildProcess): OpenedEvent[] {
  const events: OpenedEvent[] = []
  let rest = ''
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const space = line.indexOf(' ')
      events.push({ type: line.slice(0, space), data: JSON.parse(line.slice(space + 1)) })
    }
  })
  return events
}

/** The status of the response to an event that is signed with another secret. */
async function sendForged(port: number): Promise<number> {
  const headers = {
    'webhook-id': 'evt_forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${Buffer.alloc(32, 'forged').toString('base64')}`,
  }
  const body = JSON.stringify({ type: 'slots.opened', timestamp: new Date().toISOString(), data: {} })
  return (await fetch(`http://localhost:${port}/`, { method: 'POST', headers, body })).status
}

async function subscription(id: string): Promise<{ status: string }> {
  return JSON.parse(await (await call(`/${id}`, 'GET')).text())
}

function call(path: string, method: string): Promise<Response> {
  const headers = { authorization: `Bearer ${sample.key}` }
  return fetch(`${sample.service.origin}/v1/scheduling/subscriptions${path}`, { method, headers })
}
