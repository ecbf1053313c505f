import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Revisions } from '../../src/store/contracts/revision-feed.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { call, pathOf } from './callers.ts'
import { ChangingPublisher } from './changing-publisher.ts'
import { STATUSES } from './feed-history.ts'
import { newFigures, noteFault } from './figures.ts'
import { KeyTester } from './key-tester.ts'
import { LOSS, Outages } from './outages.ts'
import { printReport } from './report.ts'
import { ServedVersions } from './served-versions.ts'
import type { Site } from './site.ts'
import { TortureNode } from './torture-node.ts'
import type { TortureRun } from './torture-run.ts'

/** Runs nodes, feeds, callers and changes of keys while a site causes faults, for `seconds` at least. Returns the figures that are out of bounds. */
export async function torture(site: Site, seconds: number): Promise<readonly string[]> {
  await using started = new AsyncDisposableStack()
  const over = new AbortController()
  const publisher = started.use(await ChangingPublisher.open(site.feeds))
  const store = await openStore(site.url)
  started.defer(() => store.close())
  for (const history of publisher.histories) {
    await store.sources.add({ slug: history.slug, url: publisher.urlOf(history), strict: false })
  }
  const nodes = await Promise.all(site.nodes.map(({ name, env }) => TortureNode.prepare(name, env)))
  for (const node of nodes) started.use(node)
  await Promise.all(nodes.map((node) => node.start()))

  const figures = newFigures()
  const outages = new Outages()
  started.defer(() => outages.stop())
  const served = new ServedVersions(publisher.histories, figures, outages)
  const run: TortureRun = { nodes, publisher, served, outages, figures, signal: over.signal }
  await untilEqual(run, store)
  const keys = await KeyTester.open(run)
  const busy = [
    ...Array.from({ length: site.callers }, () => call(run, keys)),
    keys.changeKeys(),
    keys.changeKeys(),
    publish(run),
    syncSoon(run, store),
    watchCommits(run, store, site.confirm),
  ]
  console.log(`${nodes.length} nodes, feeds ${JSON.stringify(site.feeds)}, ${seconds} s.`)
  const startedMs = performance.now()
  await causeFaultsUntil(startedMs + seconds * 1000, run, site)
  over.abort()
  await Promise.all(busy)

  const isEqual = await untilEqual(run, store, keys)
  await keys.checkAll()
  for (const node of nodes) {
    for (const [warning, count] of node.warnings) console.log(`${node.name}: ${count} × ${warning}`)
  }
  const broken = printReport(figures, {
    seconds: (performance.now() - startedMs) / 1000,
    starvedMs: outages.starvedMs,
    ends: nodes.reduce((sum, node) => sum + node.ends, 0),
    isEqual,
    title: site.title,
    disturbedChangeMsMax: site.disturbedChangeMsMax,
  })
  site.report?.()
  return broken
}

/** Causes one fault after the other, each once all have recovered from the last. */
async function causeFaultsUntil(deadlineMs: number, run: TortureRun, site: Site): Promise<void> {
  for (let at = 0; ; at++) {
    const pauseMs = 3000 + Math.random() * 3000
    // The nodes must have recovered from the last fault at the end.
    if (at >= site.minFaults && performance.now() + pauseMs + 5000 > deadlineMs) break
    await sleep(pauseMs)
    await site.causeFault(at, run)
  }
  await sleep(Math.max(0, deadlineMs - performance.now()))
}

async function publish({ publisher, served, nodes, signal }: TortureRun): Promise<void> {
  while (!signal.aborted) {
    const version = publisher.change(publisher.histories[Math.floor(Math.random() * publisher.histories.length)])
    served.published(version, nodes)
    await sleep(Math.random() * 1000)
  }
}

/** Requests a sync of each source, which is otherwise read once a minute at most. */
async function syncSoon({ publisher, signal }: TortureRun, store: Store): Promise<void> {
  while (!signal.aborted) {
    for (const { slug } of publisher.histories) await store.sources.syncSoon(slug).catch(() => undefined)
    await sleep(300)
  }
}

/**
 * Polls the revision of the database, to know when each was committed. A promoted standby must have every revision that was read. A primary
 * that shuts down shows commits that still wait for the standby, so with `confirm` a revision counts once a later commit was confirmed.
 */
async function watchCommits(run: TortureRun, store: Store, confirm?: Site['confirm']): Promise<void> {
  const { served, figures, outages, signal } = run
  let last: Revisions | undefined
  let kept: Revisions | undefined
  let isConfirming = false
  const keep = async (seen: Revisions) => {
    isConfirming = true
    // A promoted standby may have confirmed it.
    if ((await confirm?.()) === seen.epoch) kept = seen
  }
  while (!signal.aborted) {
    const revisions = await store.revisionFeed.revisions().catch(() => undefined)
    const seenMs = performance.now()
    if (revisions !== undefined) {
      for (let each = last?.slots ?? revisions.slots; each <= revisions.slots; each++)
        served.committed(each, seenMs, run.nodes)
      const isBack = kept !== undefined && (revisions.slots < kept.slots || revisions.keys < kept.keys)
      if (isBack && !outages.during(seenMs, seenMs, [LOSS])) {
        figures.commitsLost++
        noteFault(figures, `the database went back from ${JSON.stringify(kept)} to ${JSON.stringify(revisions)}`)
      }
      last = revisions
      if (isBack) kept = undefined
      if (confirm === undefined) kept = revisions
      else if (!isConfirming) {
        const done = () => {
          isConfirming = false
        }
        void keep(revisions).then(done, done)
      }
    }
    await sleep(20)
  }
}

/** Longer than the lease of a sync whose node was killed. */
const EQUAL_MS_MAX = 90_000

/** Reads all pages of all nodes until each serves the publishers' last versions. */
async function untilEqual(run: TortureRun, store: Store, keys?: KeyTester): Promise<boolean> {
  const { publisher, nodes, figures } = run
  if (keys === undefined) {
    for (const deadline = Date.now() + EQUAL_MS_MAX; Date.now() < deadline; await sleep(100)) {
      const sources = await store.sources.list()
      if (sources.every(({ slotCount }) => slotCount > 0)) return true
    }
    throw new Error('Cannot begin: every source must have been synced once')
  }
  const truth = hashOf(
    STATUSES.flatMap((status) =>
      publisher.histories
        .flatMap(({ latest }) => latest.select(status, undefined))
        .sort((a, b) => a.startMs - b.startMs)
        .map(({ bookingDeepLink }) => `${status} ${bookingDeepLink}`),
    ),
  )
  let found: (string | undefined)[] = []
  for (const deadline = Date.now() + EQUAL_MS_MAX; Date.now() < deadline; await sleep(250)) {
    for (const { slug } of publisher.histories) await store.sources.syncSoon(slug).catch(() => undefined)
    found = await Promise.all(nodes.map((node) => hashServed(node, keys.any() ?? '').catch(() => undefined)))
    if (found.every((hash) => hash === truth)) return true
  }
  noteFault(figures, `at the end the nodes served ${found.join(', ')}, but ${truth} was published`)
  return false
}

/** The hash of everything that a node serves. */
async function hashServed(node: TortureNode, key: string): Promise<string> {
  const all: string[] = []
  for (const status of STATUSES) {
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const answer = await node.ask(pathOf({ status, limit: 100, offset }), {
        headers: { authorization: `Bearer ${key}` },
      })
      const page = JSON.parse(answer.body)
      total = page.total
      for (const { bookingDeepLink } of page.slots) all.push(`${status} ${bookingDeepLink}`)
    }
  }
  return hashOf(all)
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}
