import { parseRfc3339 } from '../slot/instant.ts'
import type { ReviewedSnapshot, SourceState } from '../store/contracts/source-store.ts'
import { HeldSnapshotChanged, type Store } from '../store/contracts/store.ts'
import { COMMAND_LINE } from './actor.ts'
import { type Call, type Command, Failure, textOption, UsageFault } from './command.ts'
import { unknownSource } from './find-source.ts'
import { PROGRAM } from './program.ts'
import { viewFreshness } from './source-freshness.ts'
import { withStore } from './with-store.ts'

/** `source accept <slug>`. Throws `Failure` for an unknown slug. */
export const sourceAccept: Command = {
  operands: [{ name: 'slug' }],
  options: {
    since: {
      value: '<instant>',
      means: 'only what is held since then, as "source show" says: nothing that came later',
    },
    withdraw: { means: 'take back a yes that was not used yet' },
  },
  explanation: `Says yes to what is suspicious about a source. Where a snapshot is held, the source is read once more at once, and taken in if it is
still like what was held; if it is worse, it is held in turn. Where none is, what is suspicious about the slots that are served is as it should be, and not told again for as long as it goes on.`,
  examples: [
    'source accept example',
    'source accept example --since 2026-01-05T08:00:00.123Z',
    'source accept example --withdraw',
  ],
  async run(call) {
    const [slug] = call.operands
    const yes = !call.options.has('withdraw')
    const seen = readSince(call)
    const source = await withStore(call, (store) => accept(store, { slug, yes, seen }))
    if (source === undefined) throw new Failure(unknownSource('accept', slug))
    const { nextApproved: acceptNext } = source.watch
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

/** Throws `UsageFault`. */
function readSince(call: Call): ReviewedSnapshot | undefined {
  const text = textOption(call, 'since')
  if (text === undefined) return undefined
  const heldSinceMs = parseRfc3339(text)
  if (heldSinceMs !== undefined) return { heldSinceMs }
  throw new UsageFault(`Cannot use --since: it must be an instant (2030-01-31T12:00:00Z): got "${text}"`)
}

async function accept(
  { sources }: Store,
  { slug, yes, seen }: { slug: string; yes: boolean; seen: ReviewedSnapshot | undefined },
): Promise<SourceState | undefined> {
  try {
    return await sources.approve(slug, yes, seen, COMMAND_LINE)
  } catch (thrown) {
    if (!(thrown instanceof HeldSnapshotChanged)) throw thrown
    throw new Failure(`${thrown.message}. Look again: ${PROGRAM} source show ${slug}`)
  }
}
