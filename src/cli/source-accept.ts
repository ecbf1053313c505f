import { COMMAND_LINE } from './actor.ts'
import { type Command, Failure } from './command.ts'
import { unknownSource } from './find-source.ts'
import { viewFreshness } from './source-freshness.ts'
import { withStore } from './with-store.ts'

/** `source accept <slug>`. Throws `Failure` for an unknown slug. */
export const sourceAccept: Command = {
  operands: [{ name: 'slug' }],
  options: { withdraw: { means: 'take back a yes that was not used yet' } },
  explanation: `Says yes to what is suspicious about a source. Where a snapshot is held, the source is read once more at once, and taken in if it is
still like what was held; if it is worse, it is held in turn. Where none is, what is suspicious about the slots that are served is as it should be, and not told again for as long as it goes on.`,
  examples: ['source accept example', 'source accept example --withdraw'],
  async run(call) {
    const [slug] = call.operands
    const yes = !call.options.has('withdraw')
    const source = await withStore(call, (store) => store.sources.accept(slug, yes, undefined, COMMAND_LINE))
    if (source === undefined) throw new Failure(unknownSource('accept', slug))
    const { acceptNext } = source.watch
    call.print(
      { slug, ...viewFreshness(source, call.clock()) },
      acceptNext
        ? `The next sync of ${slug} is taken in, if it is like what is held.`
        : yes
          ? `Accepted: ${slug}`
          : `Withdrawn: ${slug}`,
    )
  },
}
