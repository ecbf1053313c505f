import { singleLine } from '../lib/text.ts'
import type { StoredRejection } from '../store/contracts/sources.ts'
import { argument, defineCommand } from './command.ts'
import { getSource, withStore } from './store-access.ts'
import { slugValue } from './values.ts'

/** `rejected <slug>`. Throws `CommandError` for an unknown slug. */
export const rejected = defineCommand({
  description: `A line that cannot become a slot is rejected; the rest of the feed is read. Each rejection is listed with its file, line,
reason and the beginning of the line, for the publisher. If there are many, a sample is stored; "source list" has the total.`,
  examples: ['rejected example', 'rejected example --json'],
  input: { slug: argument(slugValue) },
  async run(call, { slug }) {
    const { source, rejections } = await withStore(call, async (store) => {
      const source = await getSource(store, 'list rejections', slug)
      return { source, rejections: await store.sources.rejections(source.id) }
    })
    const all = Math.max(source.watch.lastRead?.rejected ?? 0, rejections.length)
    const summary = `${slug}: ${all} rejected${all > rejections.length ? `, a sample of ${rejections.length} stored` : ''}`
    call.print(
      rejections.map(({ file, line, reason, sample }) => ({ file, line, reason, sample })),
      [...rejections.map(formatRejection), source.lastSync === undefined ? `${slug}: never synced` : summary].join(
        '\n',
      ),
    )
  },
})

function formatRejection({ file, line, reason, sample }: StoredRejection): string {
  return `${singleLine(file)}:${line}\n  ${singleLine(reason)}\n  ${singleLine(sample)}\n`
}
