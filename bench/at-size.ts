import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DAY_MS } from '../src/lib/time.ts'
import { FILTERS, measureMix, type SampledSlot, sampleSlots, stateOf } from './callers.ts'
import { measureLongest, measureLongTurns } from './long-turns.ts'
import { measureQuestions, settledBytes } from './measures.ts'
import { ROOT } from './processes.ts'
import { generator } from './queries.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serving, storeOf } from './serving.ts'
import { turnProbe } from './turns.ts'

const STORE = 'at-size'
const REMOVED_SHARE = 0.01
/** Slots of the sources that are synced again, at most. */
const SYNCED_AGAIN_MAX = 10_000_000
/** Questions of a kind, each asked once. */
const QUESTIONS = 40

/**
 * A node with `bench.slots` slots in sources of a million each, which `fill-store.ts` writes into the store: starts, memory, questions
 * of all kinds, and what a change costs. Needs some 500 bytes of disk per slot.
 */
export async function measureAtSize(bench: Bench, checkpoints: string): Promise<void> {
  // Of an earlier run.
  await rm(checkpoints, { recursive: true, force: true })
  await using probe = turnProbe()
  const env = { ...probe.env, CHECKPOINT_DIR: checkpoints }
  const millions = bench.slots / 1e6
  const emptyBytes = await settledBytesOf(bench, 'empty')
  if (!(await isFilled(bench)))
    bench.report.known('first syncs without feeds, slots/s', await fill(bench, bench.slots, 0))
  const first = await serving(bench, STORE, env)
  try {
    const perMillion = bench.databases.kind === 'SQLite' ? 1.5 : 2.5
    bench.report.atMost('start from the store until ready, s', first.readyMs / 1000, Math.max(1, perMillion * millions))
    const bytes = (await settledBytes(first)) - emptyBytes
    bench.report.atMost('memory per slot, bytes', bytes / bench.slots, 150)
    await savedCheckpoint(checkpoints, bench.slots)
  } finally {
    await first.stop()
  }
  const node = await serving(bench, STORE, env)
  let bytes: number
  try {
    bench.report.atMost('start from a checkpoint until ready, s', node.readyMs / 1000, Math.max(1, 0.3 * millions))
    bytes = await settledBytes(node)
    const service = { bench, node, store: STORE, probe }
    await measureLongest(service, 'questions asked for the first time', () => measureFirstTimes(bench, node))
    await measureMix(bench, node, { store: STORE, threads: 1 })
    await measureQuestions(bench, node)
    await measureLongTurns(service)
    await measureLongest(service, 'second syncs', async () => {
      const syncedAgain = Math.min(bench.slots, SYNCED_AGAIN_MAX)
      const rate = await fill(bench, syncedAgain, REMOVED_SHARE)
      bench.report.known('second syncs without feeds, 1% removed, slots/s', rate)
      await measureVisible(bench, node)
    })
  } finally {
    await node.stop()
  }
  await measureTwoThreads(bench, env, bytes)
}

/** `bytes`: of a node with one serving thread. */
async function measureTwoThreads(bench: Bench, env: Record<string, string>, bytes: number): Promise<void> {
  const node = await serving(bench, STORE, { ...env, WORKERS: '2' })
  try {
    const added = (await settledBytes(node)) - bytes
    bench.report.atMost('a further serving thread, bytes per slot', added / bench.slots, 10, ` (${mb(added)} MB)`)
    await measureMix(bench, node, { store: STORE, threads: 2 })
  } finally {
    await node.stop()
  }
}

const mb = (bytes: number) => Math.round(bytes / 1e6)

async function settledBytesOf(bench: Bench, store: string): Promise<number> {
  const node = await serving(bench, store)
  try {
    return await settledBytes(node)
  } finally {
    await node.stop()
  }
}

/** Whether an earlier run kept a SQLite store. */
async function isFilled(bench: Bench): Promise<boolean> {
  const url = await bench.databases.url(STORE)
  return url.startsWith('sqlite:') && existsSync(url.slice('sqlite:'.length))
}

/** Syncs the first sources, with a share of their slots left out, and returns the slots read per second. */
async function fill(bench: Bench, slots: number, removed: number): Promise<number> {
  const args = ['bench/fill-store.ts', '--slots', String(slots), '--removed', String(removed)]
  const env = { ...process.env, ...(await storeOf(bench, STORE)) }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
  return Number(stdout)
}

/** Waits until the node has saved its index. */
async function savedCheckpoint(folder: string, slots: number): Promise<void> {
  const untilMs = Date.now() + 60_000 + slots / 1000
  while (Date.now() < untilMs) {
    const manifest = await readFile(join(folder, 'manifest.json')).catch(() => undefined)
    if (manifest !== undefined) return
    await pause(500)
  }
  throw new Error('Cannot measure: the node saved no checkpoint')
}

/** The median time that the index takes for questions of each kind that were not asked before. */
async function measureFirstTimes(bench: Bench, node: Serving): Promise<void> {
  const slots = await sampleSlots(node)
  const filters: [string, QuestionKind['of']][] = Object.entries({ state: stateOf, ...FILTERS })
  for (const [n, [name, of]] of filters.entries()) {
    await measureKind(bench, node, { name: `a page by ${name}`, path: 'slots', of, slots })
    for (const [other, ofOther] of filters.slice(n + 1)) {
      const ofBoth: QuestionKind['of'] = (slot, random) => both(of(slot, random), ofOther(slot, random))
      await measureKind(bench, node, { name: `a page by ${name} and ${other}`, path: 'slots', of: ofBoth, slots })
    }
  }
  const [tomorrow, inTwoWeeks] = [1, 14].map((days) => new Date(Date.now() + days * DAY_MS).toISOString())
  for (const [name, added] of [
    ['in order of distance', 'sort=distance'],
    ['from tomorrow on', `startAfter=${tomorrow}`],
    ['in the next two weeks', `startBefore=${inTwoWeeks}`],
  ]) {
    const of: QuestionKind['of'] = (slot, random) => both(FILTERS.near(slot, random), added)
    await measureKind(bench, node, { name: `a page by near ${name}`, path: 'slots', of, slots })
  }
  for (const path of ['facets', 'actors'])
    for (const [name, of] of Object.entries({ ...FILTERS, state: stateOf, all: () => '' }))
      await measureKind(bench, node, { name: `${path} by ${name}`, path, of, slots, goalMs: 5 })
}

const both = (one: string | undefined, other: string | undefined) => one && other && `${one}&${other}`

interface QuestionKind {
  readonly name: string
  readonly path: string
  readonly of: (slot: SampledSlot, random: () => number) => string | undefined
  readonly slots: readonly SampledSlot[]
  readonly goalMs?: number
}

async function measureKind(
  { report }: Bench,
  { port, key }: Serving,
  { name, path, of, slots, goalMs = 1 }: QuestionKind,
): Promise<void> {
  const random = generator(1)
  const searches = new Set<string>()
  for (let n = 0; n < QUESTIONS * 4 && searches.size < QUESTIONS; n++) {
    const search = of(slots[Math.floor(random() * slots.length)], random)
    if (search !== undefined) searches.add(search)
  }
  const times: number[] = []
  for (const search of searches) {
    const url = `http://127.0.0.1:${port}/v1/scheduling/${path}?${search}`
    const response = await fetch(url, { headers: { 'x-api-key': key } })
    await response.arrayBuffer()
    const ms = Number(/index;dur=([\d.]+)/.exec(response.headers.get('server-timing') ?? '')?.[1])
    if (response.status !== 200 || Number.isNaN(ms)) throw new Error(`Cannot measure: ${response.status} for "${url}"`)
    times.push(ms)
  }
  report.atMost(`${name} the first time, ms`, median(times), goalMs, ` (longest ${Math.max(...times)})`)
}

/** From the end of the syncs until their last change is served. */
async function measureVisible({ report, slots }: Bench, node: Serving): Promise<void> {
  const startedMs = performance.now()
  let etag = await node.etag()
  let changedMs = startedMs
  while (performance.now() - changedMs < 5000) {
    await pause(20)
    const current = await node.etag()
    if (current !== etag) changedMs = performance.now()
    etag = current
  }
  report.atMost('commit until visible, s', (changedMs - startedMs) / 1000, slots > 1e7 ? 2 : 1)
}
