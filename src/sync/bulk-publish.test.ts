import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { bulkActions } from '../../test/support/feeds/bulk-model.ts'
import { BulkFollowing } from '../../test/support/sync/bulk-following.ts'
import { bulkStores } from '../../test/support/sync/bulk-stores.ts'

const RUNS = 6

for (const [kind, onStore] of Object.entries(await bulkStores())) {
  suite(kind, () => {
    test('has the state of its publisher after any sequence of publications and faults', async () => {
      await fc.assert(
        fc.asyncProperty(bulkActions(8), async (actions) => {
          await onStore(async (store) => {
            await using following = await BulkFollowing.open(store)
            following.begin()
            for (const action of actions) await following.act(action)
            await following.assertSame()
          })
        }),
        { numRuns: RUNS },
      )
    })

    test('applies an update without reading the root or the snapshot again', async () => {
      await onStore(async (store) => {
        await using following = await BulkFollowing.open(store)
        const { publisher } = following
        following.begin()
        await following.assertSame()
        publisher.asked()
        publisher.update([...publisher.resources.values()].slice(0, 1).map((one) => ({ ...one, comment: 'new' })))
        await following.sync()
        const asked = publisher.asked()
        assert.ok(
          asked.every((line) => !line.startsWith('/$bulk-publish')),
          asked.join(),
        )
        assert.equal(asked.length, 3)
        await following.assertSame()
        assert.deepEqual(publisher.asked().length, 1)
      })
    })

    test('requests no immutable file of a refreshed root twice', async () => {
      await onStore(async (store) => {
        await using following = await BulkFollowing.open(store)
        const { publisher } = following
        following.begin(false)
        await following.sync()
        const requested = publisher.asked().filter((line) => line.startsWith('/files/'))
        assert.ok(requested.length > 5)
        publisher.resources.delete([...publisher.resources.keys()].at(-1) ?? '')
        publisher.publishRoot({ pages: 2, isChain: false })
        await following.assertSame()
        const again = publisher.asked().filter((line) => line.startsWith('/files/'))
        assert.deepEqual(
          again.filter((line) => requested.includes(line)),
          [],
        )
        assert.ok(again.length < requested.length / 2, again.join())
      })
    })
  })
}
