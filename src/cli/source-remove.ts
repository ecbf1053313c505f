import { counted } from '../lib/text.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand, YES } from './command.ts'
import { foundSource, getSource, withStore } from './store-access.ts'
import { slugValue } from './values.ts'

/** `source remove <slug>`. Throws `CommandError` for an unknown slug. */
export const sourceRemove = defineCommand({
  description: `Removes a source with its slots and history. This cannot be undone, so the command asks on a terminal; scripts give
--yes. A running service stops serving the slots within a second. A sync in progress fails.`,
  examples: ['source remove example', 'source remove example --yes'],
  input: { slug: argument(slugValue), yes: YES },
  async run(call, { slug, yes }) {
    await withStore(call, async (store) => {
      const source = await getSource(store, 'remove source', slug)
      const syncs = (await store.sources.syncHistory(source.id)).length
      const content = `${counted(source.slotCount, 'slot')} and ${counted(syncs, 'sync')} of history`
      await call.confirm(`Remove source ${slug} with ${content}? This cannot be undone.`, { yes, mayWarn: true })
      const removed = await store.sources.remove(slug, COMMAND_LINE)
      foundSource(removed || undefined, 'remove source', slug)
      call.print({ slug, removed, slots: source.slotCount }, `Removed source ${slug} with ${content}.`)
    })
  },
})
