import { suite, test } from 'node:test'
import fc from 'fast-check'
import { bulkActions } from '../../test/support/feeds/bulk-model.ts'
import { BulkFollowing } from '../../test/support/sync/bulk-following.ts'
import { bulkStores } from '../../test/support/sync/bulk-stores.ts'

const RUNS = 30

for (const [kind, onStore] of Object.entries(await bulkStores())) {
  suite(kind, () => {
    test('has the state of its publisher although processes are killed while they sync', async () => {
      await fc.assert(
        fc.asyncProperty(bulkActions(20), (actions) =>
          onStore(async (store, url) => {
            await using following = await BulkFollowing.open(store, url)
            following.begin()
            for (const action of actions) await following.act(action)
            await following.assertSame()
          }),
        ),
        { numRuns: RUNS },
      )
    })
  })
}
