import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand } from './command.ts'
import { foundSource, withStore } from './store-access.ts'
import { slugValue } from './values.ts'

/** `source remove <slug>`. Throws `CommandError` for an unknown slug. */
export const sourceRemove = defineCommand({
  description: 'A running service stops serving its slots within a second. A sync in progress fails.',
  examples: ['source remove example'],
  input: { slug: argument(slugValue) },
  async run(call, { slug }) {
    const removed = await withStore(call, (store) => store.sources.remove(slug, COMMAND_LINE))
    foundSource(removed || undefined, 'remove source', slug)
    call.print({ slug, removed }, `Removed source ${slug} and its slots.`)
  },
})
