import type { SourceAction } from '../store/contracts/source-log.ts'
import type { Command } from './command.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { withStore } from './with-store.ts'

/** So many are listed, the newest. */
const LISTED_MAX = 500

/** `source log [<slug>]`. */
export const sourceLog: Command = {
  operands: [{ name: 'slug', optional: true }],
  options: {},
  explanation: `Who added, edited, paused, held, accepted, imported into and removed sources, and when: newest first, at most ${LISTED_MAX}. Of an edit
it tells which fields, never what they were. Sources that are gone are in it as well.`,
  examples: ['source log', 'source log example --json'],
  async run(call) {
    const [slug] = call.operands
    const actions = await withStore(call, (store) =>
      store.sourceLog.list({ limit: LISTED_MAX, ...(slug !== undefined && { slug }) }),
    )
    call.print(actions.map(viewAction), actions.length === 0 ? 'Nothing so far.' : formatActions(actions))
  },
}

function viewAction({ atMs, slug, kind, actor, fields, reviewPolicy: hold }: SourceAction) {
  const { name: by, address } = actor
  return {
    at: formatInstant(atMs),
    slug,
    kind,
    by,
    ...(address !== undefined && { address }),
    ...(fields !== undefined && { fields }),
    ...(hold !== undefined && { hold }),
  }
}

function formatActions(actions: readonly SourceAction[]): string {
  const rows = actions.map(({ atMs, slug, kind, actor, fields, reviewPolicy: hold }) => [
    formatSeconds(atMs),
    slug,
    kind,
    fields?.join(', ') ?? hold,
    actor.name,
  ])
  return formatTable(['AT', 'SLUG', 'WHAT', 'OF', 'BY'], rows)
}
