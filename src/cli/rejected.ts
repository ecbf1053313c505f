import type { StoredRejection } from '../store/contracts/source-store.ts'
import type { Command } from './command.ts'
import { getSource } from './find-source.ts'
import { plainText } from './table.ts'
import { withStore } from './with-store.ts'

/** `rejected <slug>`. Throws `Failure` for an unknown slug. */
export const rejected: Command = {
  operands: [{ name: 'slug' }],
  options: {},
  explanation: `A line that could not become a slot is rejected by itself; the rest of the feed goes on. Each is listed with its file, its line, the
reason and how it begins: what its publisher needs to know. Of very many, a sample is kept; "source list" has the number of all.`,
  examples: ['rejected example', 'rejected example --json'],
  async run(call) {
    const [slug] = call.operands
    const { source, rejections } = await withStore(call, async (store) => {
      const source = await getSource(store, 'list rejections', slug)
      return { source, rejections: await store.sources.rejections(source.id) }
    })
    const all = Math.max(source.lastSync?.rejected ?? 0, rejections.length)
    const summary = `${slug}: ${all} rejected${all > rejections.length ? `, ${rejections.length} kept as a sample` : ''}`
    call.print(
      rejections.map(({ file, line, reason, sample }) => ({ file, line, reason, sample })),
      [
        ...rejections.map(formatRejection),
        source.lastSync === undefined ? `${slug}: never synced` : summary,
      ].join('\n'),
    )
  },
}

function formatRejection({ file, line, reason, sample }: StoredRejection): string {
  return `${plainText(file)}:${line}\n  ${plainText(reason)}\n  ${plainText(sample)}\n`
}
