import { defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { type FreshnessView, nextSyncOf, type PrintedSource, printedSource, viewFreshness } from './source-view.ts'
import { withStore } from './store-access.ts'
import { formatSeconds, formatTable, plainText } from './table.ts'

/** `source list`. */
export const sourceList = defineCommand({
  description: `SLOTS counts the slots of the last good snapshot, of any status. FAILED counts consecutive failures; a failed sync changes
nothing, and the last good snapshot stays served. "source show" has details.`,
  examples: ['source list', 'source list --json'],
  input: {},
  async run(call) {
    const nowMs = call.clock()
    const sources = await withStore(call, (store) => store.sources.overview())
    const views = sources.map((source) => ({ ...printedSource(source), ...viewFreshness(source, nowMs) }))
    const empty = `No sources yet. Add one: ${PROGRAM} source add example 'https://publisher.example/$bulk-publish'`
    call.print(views, views.length === 0 ? empty : formatSources(views))
  },
})

function formatSources(views: readonly (PrintedSource & FreshnessView)[]): string {
  const headings = ['SLUG', 'HEALTH', 'SLOTS', 'REJECTED', 'FAILED', 'LAST SYNC', 'AT', 'NEXT', 'EVERY', 'URL']
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
