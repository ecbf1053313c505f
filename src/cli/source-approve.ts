import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { ReviewedSnapshot, SourceState } from '../store/contracts/sources.ts'
import { HeldSnapshotChanged, type Store } from '../store/contracts/store.ts'
import { argument, CommandError, defineCommand, flag, option } from './command.ts'
import { PROGRAM } from './program.ts'
import { viewFreshness } from './source-view.ts'
import { foundSource, withStore } from './store-access.ts'
import { instantValue, slugValue } from './values.ts'

/** `source approve <slug>`. Throws `CommandError` for an unknown slug, and without an approval to withdraw. */
export const sourceApprove = defineCommand({
  description: `Approves the held snapshot of a source. The source is synced again immediately, and the new snapshot is served if it is like
the held one; if it is worse, it is held, too. If no snapshot is held, the command acknowledges the anomalies of the
served slots: they are not reported again while they last.`,
  examples: [
    'source approve example',
    'source approve example --since 2026-01-05T08:00:00.123Z',
    'source approve example --withdraw',
  ],
  input: {
    slug: argument(slugValue),
    since: option(
      instantValue.optional(),
      '<instant>',
      'approve only the snapshot held since then, as printed by "source show"',
    ),
    withdraw: flag('withdraw an approval that has not been used yet'),
  },
  async run(call, { slug, since, withdraw }) {
    const seen = since === undefined ? undefined : { heldSinceMs: since }
    const { source, view } = await withStore(call, async (store) => {
      const found = await (withdraw ? withdrawApproval(store, slug) : approve(store, slug, seen))
      const source = foundSource(found, 'approve snapshot', slug)
      return { source, view: viewFreshness(source, store.now()) }
    })
    const message = source.watch.nextApproved
      ? `Approved. The next sync of ${slug} is served if it is like the held snapshot.`
      : withdraw
        ? `Withdrew the approval of ${slug}.`
        : `Approved ${slug}.`
    call.print({ slug, ...view }, message)
  },
})

async function withdrawApproval({ sources }: Store, slug: string): Promise<SourceState | undefined> {
  const before = await sources.find(slug)
  if (before?.watch.nextApproved === false)
    throw new CommandError(`Cannot withdraw approval: ${slug} has no approval that is not used yet`)
  return sources.approve(slug, false, undefined, COMMAND_LINE)
}

async function approve(
  { sources }: Store,
  slug: string,
  seen: ReviewedSnapshot | undefined,
): Promise<SourceState | undefined> {
  try {
    return await sources.approve(slug, true, seen, COMMAND_LINE)
  } catch (error) {
    if (!(error instanceof HeldSnapshotChanged)) throw error
    throw new CommandError(`${error.message}. Review it: ${PROGRAM} source show ${slug}`)
  }
}
