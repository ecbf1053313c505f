import { setTimeout as sleep } from 'node:timers/promises'
import { connectorsOf } from '../feeds/connectors.ts'
import type { SyncOutcome } from '../store/contracts/source-store.ts'
import type { Store } from '../store/contracts/store.ts'
import { type SyncParts, syncSource } from '../sync/sync-source.ts'
import { type Call, type Command, Failure } from './command.ts'
import { getSource } from './find-source.ts'
import { interruption } from './interruption.ts'
import { PROGRAM } from './program.ts'
import { viewSync } from './source-view.ts'
import { formatTable, plainText } from './table.ts'
import { withStore } from './with-store.ts'

/** `sync [<slug>]`. Throws `Failure` after all are done if any failed, and for an unknown slug. */
export const sync: Command = {
  operands: [{ name: 'slug', optional: true }],
  options: {},
  explanation: `Reads the source now, due or not, in this process; a running service serves the outcome within a second. Without a slug, reads all
sources that are not paused, one after the other. Where the service is reading the source already, waits for that and prints how it went. A source that
fails changes nothing, and makes the exit code 1. --json prints one object for a slug, an array without.`,
  examples: ['sync example', 'sync', 'sync example --json'],
  async run(call) {
    const [slug] = call.operands
    const interrupted = interruption()
    const runs = await withStore(call, async (store) => {
      const slugs = slug === undefined ? await fetchedSlugs(store) : [slug]
      const runs: Run[] = []
      for (const each of slugs) {
        if (interrupted.aborted) break
        runs.push({ slug: each, outcome: await syncOne(call, store, each, interrupted) })
      }
      return runs
    })
    const views = runs.map(({ slug, outcome }) => ({ slug, ...viewSync(outcome) }))
    call.print(slug === undefined ? views : views[0], formatRuns(runs))
    const failed = runs.filter(({ outcome }) => outcome.outcome === 'failed').length
    if (failed > 0) throw new Failure(`Cannot sync: ${failed} of ${runs.length} failed, and stays as it was`)
  },
}

/** What is imported is not fetched; what is paused is read only by its name. */
async function fetchedSlugs(store: Store): Promise<string[]> {
  const sources = await store.sources.list()
  return sources.filter(({ format, paused }) => format !== 'files' && !paused).map(({ slug }) => slug)
}

interface Run {
  readonly slug: string
  readonly outcome: SyncOutcome
}

/** How often to look whether another process has finished reading. */
const LOOK_EVERY_MS = 250

/** Syncs a source, or lets another process that is at it finish: its publisher need not be asked twice. */
async function syncOne(call: Call, store: Store, slug: string, signal: AbortSignal): Promise<SyncOutcome> {
  const parts: SyncParts = {
    store,
    connectorOf: connectorsOf(call.config),
    clock: call.clock,
    random: Math.random,
    everyMsDefault: call.config.syncEveryMs,
  }
  const before = await getSource(store, 'sync', slug)
  if (before.format === 'files')
    throw new Failure(
      `Cannot sync ${slug}: it has what was imported last. To change it: ${PROGRAM} import --help`,
    )
  let waits = false
  for (;;) {
    const run = await syncSource(parts, slug, { signal })
    if (run?.emptied) call.tell(`Warning: ${slug} had ${before.slotCount} slots before and has none now.`)
    if (run !== undefined) return run.outcome
    if (!waits) call.tell(`Another process is reading ${slug}: waiting for it.`)
    waits = true
    await sleep(LOOK_EVERY_MS, undefined, { signal })
    const { lastSync } = await getSource(store, 'sync', slug)
    if (lastSync !== undefined && lastSync.startedAtMs !== before.lastSync?.startedAtMs) return lastSync
  }
}

function formatRuns(runs: readonly Run[]): string {
  if (runs.length === 0) return `No source to read. Add one: ${PROGRAM} source add --help`
  const headings = [
    'SLUG',
    'OUTCOME',
    'READ',
    'ADDED',
    'CHANGED',
    'REMOVED',
    'REJECTED',
    'WITHHELD',
    'DURATION',
  ]
  const rows = runs.map(({ slug, outcome }) => [
    slug,
    outcome.unchanged ? `${outcome.outcome}, nothing new` : outcome.outcome,
    outcome.read,
    outcome.added,
    outcome.changed,
    outcome.removed,
    outcome.rejected,
    outcome.withheld,
    `${(outcome.durationMs / 1000).toFixed(1)} s`,
  ])
  const errors = runs.flatMap(({ slug, outcome }) =>
    outcome.error === undefined ? [] : [`${slug}: ${plainText(outcome.error)}`],
  )
  const where = runs.length === 1 ? runs[0].slug : '<slug>'
  return [
    formatTable(headings, rows),
    ...errors,
    `Rejections are listed by: ${PROGRAM} rejected ${where}`,
  ].join('\n')
}
