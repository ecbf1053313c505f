import { type Connector, type Publication, ReadAgain, type Source } from '../feeds/connector.ts'
import { SourceMessages } from '../feeds/source-messages.ts'
import type { SnapshotWriter } from '../store/contracts/snapshots.ts'
import type { SlotLimit } from './slot-limit.ts'
import { StoredDraft } from './snapshot-draft.ts'

const READS_MAX = 3

/** Of a publisher whose feed changes more often than it can be read. */
const MIXED = {
  severity: 'warning',
  text: 'The feed was changed while it was read, three times: until the next sync, some slots may be missing or as of an earlier publication.',
} as const

/**
 * Reads a source into a finished draft; again, at most three times in all, while what was read does not fit together or is of two
 * publications. Of the latter, the last is kept.
 */
export async function readSource(
  connectorOf: (source: Source) => Connector,
  { writer, signal, limit }: { writer: SnapshotWriter; signal: AbortSignal; limit: SlotLimit },
): Promise<{ draft: StoredDraft; publication: Publication }> {
  const { slug, format, url, options, strict } = writer.source
  const source = { slug, format, url, options, strict }
  let fromScratch = false
  for (let reads = 1; ; reads++) {
    const draft = new StoredDraft(writer, signal, { limit, fromScratch })
    try {
      const publication = await connectorOf(source).read(source, draft, signal)
      if (!publication.isMixed || reads === READS_MAX) {
        if (!publication.unchanged) await draft.finish()
        return { draft, publication: publication.isMixed ? withWarning(publication) : publication }
      }
    } catch (error) {
      if (!(error instanceof ReadAgain) || reads === READS_MAX) throw error
      fromScratch ||= error.fromScratch
    }
    await writer.discard()
  }
}

function withWarning(publication: Publication): Publication {
  const messages = new SourceMessages()
  for (const message of [MIXED, ...(publication.messages ?? [])]) messages.add(message)
  return { ...publication, messages: messages.all }
}
