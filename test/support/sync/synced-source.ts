import type { TestContext } from 'node:test'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { syncSource } from '../../../src/sync/sync-source.ts'
import { Publisher } from '../feeds/publisher.ts'
import { openTempStore, syncParts } from '../store/temp-store.ts'

/** A publisher of these files, and a store whose source `clinic` reads them. `files` has `/$bulk-publish`. */
export async function openSyncedSource(t: TestContext, files: Parameters<typeof Publisher.open>[0]) {
  const publisher = await Publisher.open(files)
  t.after(() => publisher[Symbol.asyncDispose]())
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false })
  const parts = syncParts(store, smartLinks({ allowPrivate: true }))
  return { publisher, store, sync: () => syncSource(parts, 'clinic') }
}
