import { defined } from '../lib/optional.ts'
import type { SourceAction } from '../store/contracts/source-log.ts'
import { argument, defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { slugValue } from './values.ts'

/** Number of listed entries, the newest. */
const LISTED_MAX = 500

/** `source log [<slug>]`. */
export const sourceLog = defineCommand({
  description: `All changes to sources by operators, including removed sources: newest first, at most ${LISTED_MAX}. Edits list the fields, never
the values.`,
  examples: ['source log', 'source log example --json'],
  input: { slug: argument(slugValue.optional()) },
  async run(call, { slug }) {
    const actions = await withStore(call, (store) => store.sourceLog.list({ limit: LISTED_MAX, ...defined({ slug }) }))
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
