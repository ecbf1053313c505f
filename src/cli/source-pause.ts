import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, type Command, defineCommand } from './command.ts'
import { viewFreshness } from './source-view.ts'
import { foundSource, withStore } from './store-access.ts'
import { slugValue } from './values.ts'

/** `source pause <slug>`. Throws `CommandError` for an unknown slug. */
export const sourcePause = pauseCommand(true, {
  verb: 'pause',
  result: 'Paused. Its slots stay served. It is not synced until you resume it.',
  description: 'Stops syncing a source until "source resume". Its slots stay served until they end.',
})

/** `source resume <slug>`. Throws `CommandError` for an unknown slug. */
export const sourceResume = pauseCommand(false, {
  verb: 'resume',
  result: 'Resumed. It is synced when it is due, which may be now.',
  description: 'Syncs a paused source again when it is due.',
})

function pauseCommand(
  paused: boolean,
  { verb, result, description }: { verb: string; result: string; description: string },
): Command {
  return defineCommand({
    description,
    examples: [`source ${verb} example`],
    input: { slug: argument(slugValue) },
    async run(call, { slug }) {
      const view = await withStore(call, async ({ sources, now }) => {
        const found = await sources.setPaused(slug, paused, COMMAND_LINE)
        return viewFreshness(foundSource(found, `${verb} source`, slug), now())
      })
      call.print({ slug, ...view }, result)
    },
  })
}
