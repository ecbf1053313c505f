import { REVIEW_POLICIES } from '../shared/source-vocabulary.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand } from './command.ts'
import { viewFreshness } from './source-view.ts'
import { foundSource, withStore } from './store-access.ts'
import { slugValue, wordValue } from './values.ts'

/** `source hold <slug> <policy>`. Throws `CommandError` for an unknown slug. */
export const sourceHold = defineCommand({
  description: `Sets which snapshots are held for review before they are served: "nothing"; "extreme" (default), those that drop from many
slots to none, have ten times as many, lose all states, or reject more than half of the lines; or "suspicious", all that match an anomaly rule of docs/operating-sources.md.`,
  examples: ['source hold example suspicious', 'source hold example nothing'],
  input: { slug: argument(slugValue), policy: argument(wordValue(REVIEW_POLICIES)) },
  async run(call, { slug, policy }) {
    const view = await withStore(call, async ({ sources, now }) => {
      const found = await sources.setReviewPolicy(slug, policy, COMMAND_LINE)
      return viewFreshness(foundSource(found, 'set hold policy', slug), now())
    })
    call.print({ slug, ...view }, `Snapshots of ${slug} held for review: ${policy}`)
  },
})
