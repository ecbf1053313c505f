import { setTimeout as sleep } from 'node:timers/promises'
import { connectorsOf } from '../feeds/connectors.ts'
import { counted, singleLine } from '../lib/text.ts'
import type { SyncOutcome } from '../store/contracts/sources.ts'
import type { Store } from '../store/contracts/store.ts'
import { type SyncDependencies, syncSource } from '../sync/sync-source.ts'
import { argument, type Call, CommandError, defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { printedSync } from './source-view.ts'
import { getSource, withStore } from './store-access.ts'
import { elapsedText, formatTable } from './table.ts'
import { slugValue } from './values.ts'

/** `sync [<slug>]`. Throws `CommandError` for an unknown slug, and at the end if any sync failed. */
export const sync = defineCommand({
  description: `Syncs the source in this process, whether or not it is due; a running service serves the result within a second. Without a
slug, syncs all sources that are not paused, one after another. If the service is syncing the source already, waits for that
and prints its outcome. A failed sync changes nothing and makes the exit code 1. --json prints an object for one slug, else
an array.`,
  examples: ['sync example', 'sync', 'sync example --json'],
  input: { slug: argument(slugValue.optional()) },
  async run(call, { slug }) {
    const interrupted = call.interruption()
    const { runs, left } = await withStore(call, async (store) => {
      const slugs = slug === undefined ? await fetchedSlugs(store) : [slug]
      const runs: Run[] = []
      let left = slugs.length
      for (const each of slugs) {
        if (interrupted.aborted) break
        left--
        // A source that was removed meanwhile must not keep the next ones from being synced.
        if (slug === undefined && (await store.sources.find(each)) === undefined) continue
        runs.push({ slug: each, outcome: await syncOne(call, store, each, interrupted) })
      }
      return { runs, left }
    })
    const views = runs.map(({ slug, outcome }) => ({ slug, ...printedSync(outcome) }))
    if (runs.length > 0 || left === 0) call.print(slug === undefined ? views : views[0], formatRuns(runs))
    if (left > 0) throw new CommandError(`Cannot sync: the command was interrupted before ${counted(left, 'source')}`)
    const failed = runs.filter(({ outcome }) => outcome.outcome === 'failed').length
    if (failed > 0) throw new CommandError(`Cannot sync: ${failed} of ${runs.length} failed; their slots are unchanged`)
  },
})

/** Imported files are not fetched, and paused sources are synced only by their slug. */
async function fetchedSlugs(store: Store): Promise<string[]> {
  const sources = await store.sources.list()
  return sources.filter(({ format, paused }) => format !== 'files' && !paused).map(({ slug }) => slug)
}

interface Run {
  readonly slug: string
  readonly outcome: SyncOutcome
}

/** How often to check whether another process has finished. */
const POLL_EVERY_MS = 250

/** Syncs a source, or waits for another process that is syncing it, so that its publisher is not asked twice. */
async function syncOne(call: Call, store: Store, slug: string, signal: AbortSignal): Promise<SyncOutcome> {
  const parts: SyncDependencies = {
    store,
    connectorOf: connectorsOf(call.config),
    clock: store.now,
    random: Math.random,
    everyMsDefault: call.config.syncEveryMs,
    slotsMax: call.config.slotsMax,
  }
  const before = await getSource(store, 'sync', slug)
  if (before.format === 'files')
    throw new CommandError(
      `Cannot sync ${slug}: its slots are imported from files. Import another file: ${PROGRAM} import --help`,
    )
  let isWaiting = false
  for (;;) {
    const run = await syncSource(parts, slug, { signal })
    if (run?.emptied) call.note(`Warning: ${slug} had ${before.slotCount} slots and now has none.`)
    if (run !== undefined) return run.outcome
    if (!isWaiting) call.note(`Another process is syncing ${slug}: waiting for it.`)
    isWaiting = true
    await sleep(POLL_EVERY_MS, undefined, { signal })
    const { lastSync } = await getSource(store, 'sync', slug)
    if (lastSync !== undefined && lastSync.startedAtMs !== before.lastSync?.startedAtMs) return lastSync
  }
}

function formatRuns(runs: readonly Run[]): string {
  if (runs.length === 0) return `No sources to sync. Add one: ${PROGRAM} source add --help`
  const table = formatTable(runs, {
    SLUG: ({ slug }) => slug,
    OUTCOME: ({ outcome: { outcome, unchanged } }) => (unchanged ? `${outcome}, unchanged` : outcome),
    READ: ({ outcome }) => outcome.read,
    ADDED: ({ outcome }) => outcome.added,
    CHANGED: ({ outcome }) => outcome.changed,
    REMOVED: ({ outcome }) => outcome.removed,
    REJECTED: ({ outcome }) => outcome.rejected,
    WITHHELD: ({ outcome }) => outcome.withheld,
    DURATION: ({ outcome }) => elapsedText(outcome.durationMs),
  })
  const errors = runs.flatMap(({ slug, outcome }) =>
    outcome.error === undefined ? [] : [`${slug}: ${singleLine(outcome.error)}`],
  )
  const where = runs.length === 1 ? runs[0].slug : '<slug>'
  const isRejecting = runs.some(({ outcome }) => outcome.rejected > 0)
  const isHolding = runs.some(({ outcome }) => outcome.outcome === 'held')
  return [
    table,
    ...errors,
    ...(isRejecting ? [`List rejections: ${PROGRAM} rejected ${where}`] : []),
    ...(isHolding ? [`Review a held snapshot: ${PROGRAM} source show ${where}`] : []),
  ].join('\n')
}
