import { REVIEW_POLICIES } from '../store/contracts/source-watch.ts'
import { COMMAND_LINE } from './actor.ts'
import { type Command, Failure, UsageFault } from './command.ts'
import { unknownSource } from './find-source.ts'
import { viewFreshness } from './source-freshness.ts'
import { withStore } from './with-store.ts'

/** `source hold <slug> <what>`. Throws `Failure` for an unknown slug. */
export const sourceHold: Command = {
  operands: [{ name: 'slug' }, { name: 'what' }],
  options: {},
  explanation: `Decides which snapshots wait for a yes before they are served: "nothing"; "emptied" (the default), those that had many slots and have
none; or "suspicious", all that the rules of docs/operations.md call so.`,
  examples: ['source hold example suspicious', 'source hold example nothing'],
  async run(call) {
    const [slug, what] = call.operands
    const hold = REVIEW_POLICIES.find((each) => each === what)
    if (hold === undefined) {
      throw new UsageFault(`Cannot hold: <what> must be one of ${REVIEW_POLICIES.join(', ')}: got "${what}"`)
    }
    const source = await withStore(call, (store) => store.sources.setReviewPolicy(slug, hold, COMMAND_LINE))
    if (source === undefined) throw new Failure(unknownSource('hold', slug))
    call.print({ slug, ...viewFreshness(source, call.clock()) }, `Of ${slug} is held: ${hold}`)
  },
}
