import type { TestContext } from 'node:test'
import { connectorsOf } from '../../../src/feeds/connectors.ts'
import { syncSource } from '../../../src/sync/sync-source.ts'
import { Publisher } from '../feeds/publisher.ts'
import { openTempStore } from '../store/temp-store.ts'

/** A publisher of these files, and a store whose source `clinic` reads them. `files` has `/$bulk-publish`. */
export async function openSyncedSource(t: TestContext, files: Parameters<typeof Publisher.open>[0]) {
  const publisher = await Publisher.open(files)
  t.after(() => publisher[Symbol.asyncDispose]())
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false })
  const dependencies = {
    store,
    connectorOf: connectorsOf({ allowPrivateSources: true }),
    clock: Date.now,
    random: () => 0.5,
    everyMsDefault: 300_000,
  }
  return { publisher, store, sync: () => syncSource(dependencies, 'clinic') }
}
