import { singleLine } from '../lib/text.ts'
import { defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { type FreshnessView, nextSyncOf, type PrintedSource, printedSource, viewFreshness } from './source-view.ts'
import { withStore } from './store-access.ts'
import { formatSeconds, formatTable } from './table.ts'

/** `source list`. */
export const sourceList = defineCommand({
  description: `SLOTS counts the slots of the last good snapshot, of any status, REJECTED its rejected lines, and TEST its slots of
test data, which are withheld. FAILED counts consecutive failures; a failed sync changes
nothing, and the last good snapshot stays served. "source show" has details.`,
  examples: ['source list', 'source list --json'],
  input: {},
  async run(call) {
    const views = await withStore(call, async ({ sources, now }) =>
      (await sources.overview()).map((source) => ({ ...printedSource(source), ...viewFreshness(source, now()) })),
    )
    call.print(views, formatSources(views))
  },
})

function formatSources(views: readonly (PrintedSource & FreshnessView)[]): string {
  const table = formatTable(
    views,
    {
      SLUG: ({ slug }) => slug,
      HEALTH: ({ health }) => health,
      SLOTS: ({ slots }) => slots,
      REJECTED: ({ rejected }) => rejected,
      TEST: ({ testSlots }) => testSlots,
      FAILED: ({ failures }) => failures,
      'LAST SYNC': ({ lastSync }) => lastSync?.outcome ?? 'never',
      AT: ({ lastSync }) => lastSync && formatSeconds(lastSync.startedAt),
      NEXT: nextSyncOf,
      EVERY: ({ everyMinutes }) => (everyMinutes === undefined ? 'auto' : `${everyMinutes} min`),
      URL: ({ url }) => url,
    },
    `No sources yet. Add one: ${PROGRAM} source add example 'https://publisher.example/$bulk-publish'`,
  )
  const errors = views.flatMap(({ slug, lastSync }) =>
    lastSync?.error === undefined ? [] : [`${slug}: ${singleLine(lastSync.error)}`],
  )
  return [table, ...errors].join('\n')
}
