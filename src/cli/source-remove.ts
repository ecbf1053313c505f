import { COMMAND_LINE } from './actor.ts'
import { type Command, Failure } from './command.ts'
import { unknownSource } from './find-source.ts'
import { withStore } from './with-store.ts'

/** `source remove <slug>`. Throws `Failure` for an unknown slug. */
export const sourceRemove: Command = {
  operands: [{ name: 'slug' }],
  options: {},
  explanation:
    'Its slots are gone from the answers of a running service within a second. A sync that is under way fails.',
  examples: ['source remove example'],
  async run(call) {
    const [slug] = call.operands
    const removed = await withStore(call, (store) => store.sources.remove(slug, COMMAND_LINE))
    if (!removed) throw new Failure(unknownSource('remove source', slug))
    call.print({ slug, removed }, `Removed source ${slug} and its slots.`)
  },
}
