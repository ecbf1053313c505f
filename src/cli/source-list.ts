import type { Command } from './command.ts'
import { PROGRAM } from './program.ts'
import { type FreshnessView, viewFreshness } from './source-freshness.ts'
import { nextSyncOf, type SourceView, viewSource } from './source-view.ts'
import { formatSeconds, formatTable, plainText } from './table.ts'
import { withStore } from './with-store.ts'

/** `source list`. */
export const sourceList: Command = {
  operands: [],
  options: {},
  explanation: `SLOTS is what the source's last good snapshot holds, of any status. "source show" has more of each. A failed sync changes nothing: what was read before stays
served, and FAILED counts the failures in a row.`,
  examples: ['source list', 'source list --json'],
  async run(call) {
    const nowMs = call.clock()
    const sources = await withStore(call, (store) => store.sources.overview())
    const views = sources.map((source) => ({ ...viewSource(source), ...viewFreshness(source, nowMs) }))
    const empty = `No sources yet. Add one: ${PROGRAM} source add example 'https://publisher.example/$bulk-publish'`
    call.print(views, views.length === 0 ? empty : formatSources(views))
  },
}

function formatSources(views: readonly (SourceView & FreshnessView)[]): string {
  const headings = [
    'SLUG',
    'HEALTH',
    'SLOTS',
    'REJECTED',
    'FAILED',
    'LAST SYNC',
    'AT',
    'NEXT',
    'EVERY',
    'URL',
  ]
  const rows = views.map(({ lastSync, ...view }) => [
    view.slug,
    view.health,
    view.slots,
    lastSync?.rejected ?? 0,
    view.failures,
    lastSync?.outcome ?? 'never',
    lastSync && formatSeconds(Date.parse(lastSync.startedAt)),
    nextSyncOf(view),
    view.everyMinutes === undefined ? 'auto' : `${view.everyMinutes} min`,
    view.url,
  ])
  const errors = views.flatMap(({ slug, lastSync }) =>
    lastSync?.error === undefined ? [] : [`${slug}: ${plainText(lastSync.error)}`],
  )
  return [formatTable(headings, rows), ...errors].join('\n')
}
