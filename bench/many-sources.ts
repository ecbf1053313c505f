import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { mintApiKey } from '../src/keys/mint-key.ts'
import { openStore } from '../src/store/open-store.ts'
import { freePort } from '../test/support/free-port.ts'
import { ManyPublishers } from './many-publishers.ts'
import { type Running, residentBytes, start, untilReady } from './processes.ts'

// node bench/many-sources.ts: 1,000 sources of 1,000 slots and 3 of 1,000,000, each polled every minute, for ten minutes. Reports
// the delay of polls, the memory of the node, and the time from a change at a publisher to the API response.
// node bench/many-sources.ts --smoke: a small run of two and a half minutes; its results mean little.

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    sources: { type: 'string' },
    large: { type: 'string' },
    minutes: { type: 'string' },
  },
})
const size = {
  sources: Number(values.sources ?? (values.smoke ? 50 : 1000)),
  slots: values.smoke ? 100 : 1000,
  large: Number(values.large ?? (values.smoke ? 1 : 3)),
  largeSlots: values.smoke ? 20_000 : 1_000_000,
  minutes: Number(values.minutes ?? (values.smoke ? 2 : 10)),
}
const CHANGES_PER_S = size.sources / 100

const folder = await mkdtemp(join(tmpdir(), 'slots-many-'))
const running: Running[] = []
const small = await ManyPublishers.start(size.slots)
try {
  for (let n = 0; n < size.large; n++)
    running.push(await start(['bench/publisher.ts', '--slots', String(size.largeSlots), '--seed', String(n + 1)]))
  const databaseUrl = `sqlite:${join(folder, 'slots.db')}`
  const secret = await fill(databaseUrl)
  const port = await freePort()
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    HOST: '127.0.0.1',
    ALLOW_PRIVATE_SOURCES: 'true',
  }
  const node = await start(['src/main.ts', 'serve'], { ...env, LOG_LEVEL: 'info' })
  running.push(node)
  await untilReady(port)
  await measure(node, { port, secret })
} finally {
  for (const each of running.reverse()) await each.stop()
  await small.close()
  await rm(folder, { recursive: true, force: true })
}

async function fill(databaseUrl: string): Promise<string> {
  const store = await openStore(databaseUrl)
  try {
    for (let n = 0; n < size.sources; n++)
      await store.sources.add({ slug: `s${n}`, url: `${small.origin}/${n}/$bulk-publish`, strict: false })
    for (const [n, { firstLine }] of running.entries())
      await store.sources.add({ slug: `large${n}`, url: firstLine, strict: false, everyMs: 60_000 })
    const { id } = await store.organizations.create('Bench')
    const { secret, key } = mintApiKey({ organizationId: id, name: 'bench' }, Date.now())
    await store.keys.put(key)
    return secret
  } finally {
    await store.close()
  }
}

async function measure(node: Running, api: { port: number; secret: string }): Promise<void> {
  const startedMs = performance.now()
  while (small.polled < size.sources) await pause(100)
  console.log(`first polls of all: ${seconds(performance.now() - startedMs)} s`)
  // The first round may be late; later polls must be on time.
  await pause(30_000)
  small.latenessMs.length = 0
  let peakBytes = 0
  const freshMs: number[] = []
  const untilMs = performance.now() + size.minutes * 60_000
  const probing = probe(api, untilMs, freshMs)
  while (performance.now() < untilMs) {
    for (let n = 0; n < CHANGES_PER_S; n++) small.change(1 + Math.floor(Math.random() * (size.sources - 1)))
    peakBytes = Math.max(peakBytes, await residentBytes(node.child))
    await pause(1000)
  }
  await probing
  const late = small.latenessMs.toSorted((a, b) => a - b)
  const at = (share: number) => seconds(late[Math.min(late.length - 1, Math.floor(late.length * share))])
  console.log(`${late.length} polls, late by s: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`)
  console.log(`peak memory of the node: ${Math.round(peakBytes / 1e6)} MB`)
  console.log(`from a change to the response, s: ${freshMs.map(seconds).join(', ')}`)
}

/** Changes one source at irregular times and waits until the API shows it. */
async function probe(api: { port: number; secret: string }, untilMs: number, freshMs: number[]): Promise<void> {
  for (let isBusy = false; performance.now() < untilMs; await pause(Math.random() * 20_000)) {
    isBusy = !isBusy
    small.change(0)
    const changedMs = performance.now()
    while ((await freeSlots(api)) !== size.slots - Number(isBusy)) {
      if (performance.now() - changedMs > 300_000) throw new Error('The change did not appear within 300 s')
      await pause(20)
    }
    freshMs.push(performance.now() - changedMs)
  }
}

async function freeSlots({ port, secret }: { port: number; secret: string }): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/scheduling/slots?publisher=s0&limit=1`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  const { total } = (await response.json()) as { total: number }
  return total
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}
