import { COMMAND_LINE } from './actor.ts'
import { type Command, Failure } from './command.ts'
import { unknownSource } from './find-source.ts'
import { viewFreshness } from './source-freshness.ts'
import { withStore } from './with-store.ts'

/** `source pause <slug>`. Throws `Failure` for an unknown slug. */
export const sourcePause = pausing(true, {
  verb: 'pause',
  done: 'Paused: what it has stays served, and nobody asks its publisher until it is resumed.',
  explanation: 'Leaves a source unread until "source resume". What it has stays served until it ends.',
})

/** `source resume <slug>`. Throws `Failure` for an unknown slug. */
export const sourceResume = pausing(false, {
  verb: 'resume',
  done: 'Resumed: it is read when it is due, which is at once if that time has passed.',
  explanation: 'Has a paused source read again, when it is due.',
})

function pausing(
  paused: boolean,
  { verb, done, explanation }: { verb: string; done: string; explanation: string },
): Command {
  return {
    operands: [{ name: 'slug' }],
    options: {},
    explanation,
    examples: [`source ${verb} example`],
    async run(call) {
      const [slug] = call.operands
      const source = await withStore(call, (store) => store.sources.setPaused(slug, paused, COMMAND_LINE))
      if (source === undefined) throw new Failure(unknownSource(verb, slug))
      call.print({ slug, ...viewFreshness(source, call.clock()) }, done)
    },
  }
}
