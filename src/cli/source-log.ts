import { defined } from '../lib/optional.ts'
import type { SourceAction } from '../store/contracts/source-log.ts'
import { argument, defineCommand, option } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { countValue, instantValue, slugValue } from './values.ts'

/** Number of listed entries by default, and at most. */
const LISTED = 500
const LISTED_MAX = 10_000

/** `source log [<slug>]`. */
export const sourceLog = defineCommand({
  description: `All changes to sources by operators, including removed sources: newest first, ${LISTED} by default. Edits list the fields, never
the values.`,
  examples: ['source log', 'source log example --limit 20', 'source log --since 2026-01-31T00:00:00Z --json'],
  input: {
    slug: argument(slugValue.optional()),
    limit: option(
      countValue(LISTED_MAX).default(LISTED),
      '<count>',
      `number of entries, 1 to ${LISTED_MAX} (default: ${LISTED})`,
    ),
    since: option(instantValue.optional(), '<time>', 'only changes at or after this instant'),
  },
  async run(call, { slug, limit, since = 0 }) {
    const newest = await withStore(call, (store) => store.sourceLog.list({ limit, ...defined({ slug }) }))
    const actions = newest.filter(({ atMs }) => atMs >= since)
    call.print(actions.map(viewAction), formatActions(actions))
  },
})

function viewAction({ atMs, slug, kind, actor, fields, reviewPolicy }: SourceAction) {
  const { name: by, address } = actor
  return {
    at: formatInstant(atMs),
    slug,
    kind,
    by,
    ...defined({ address, fields, hold: reviewPolicy }),
  }
}

function formatActions(actions: readonly SourceAction[]): string {
  return formatTable(
    actions,
    {
      TIME: ({ atMs }) => formatSeconds(atMs),
      SLUG: ({ slug }) => slug,
      CHANGE: ({ kind }) => kind,
      DETAILS: ({ fields, reviewPolicy }) => fields?.join(', ') ?? reviewPolicy,
      BY: ({ actor }) => actor.name,
    },
    'No changes yet.',
  )
}
