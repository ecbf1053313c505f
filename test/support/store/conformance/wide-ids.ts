import assert from 'node:assert/strict'
import { openDatabase } from '../../../../src/store/open-store.ts'
import { COUNTERS } from '../../../../src/store/sql/counters.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, changesSince, draftOf, END, keysOf, living, sync } from './samples.ts'

/** Beyond 32 bits, and so close to 2^53 that any type narrower than a double fails. */
const FAR = 2 ** 53 - 100_000

/** Ids and revisions beyond 32 bits. */
export const WIDE_ID_GUARANTEES: Guarantees = {
  'works when every counter is far beyond 32 bits': async ({ url, store, clock }) => {
    const database = await openDatabase(url)
    try {
      await database.transaction('kill', ({ queries }) =>
        queries
          .updateTable('counters')
          .set({ value: FAR })
          .where(
            'name',
            'in',
            COUNTERS.filter((name) => name !== 'store' && name !== 'purged'),
          )
          .execute(),
      )
    } finally {
      await database.close()
    }
    const source = await addSource(store)
    assert.equal(source.id, FAR + 1)
    const one = await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    assert.equal(one, FAR + 1)
    const writer = await begin(store, source)
    assert.deepEqual([...(await writer.readStored()).keys], [FAR + 1, FAR + 2])
    await writer.write({ deletes: await keysOf(writer, ['a']), inserts: [draftOf('c')] })
    assert.deepEqual(await writer.putOfferings([]), [])
    const two = await writer.commit({ ...END, connectorState: {} })
    assert.deepEqual(await changesSince(store, one), {
      whole: false,
      revision: two,
      inserted: ['c'],
      deleted: ['a'],
    })
    assert.equal(await store.revisionFeed.purge(0, clock.nowMs), 1)
    assert.deepEqual([...(await living(store)).keys()].sort(), ['b', 'c'])
    assert.equal((await changesSince(store, one)).whole, true)
  },

  'stores every integer in a 64-bit column': async ({ url }) => {
    const database = await openDatabase(url)
    try {
      const tables = await database.read.queries.introspection.getTables()
      // The lock of writers on PostgreSQL is one row, and never counts.
      const counting = tables.filter(({ name }) => name !== 'write_lock')
      const types = counting.flatMap(({ columns }) => columns.map(({ dataType }) => dataType.toLowerCase()))
      // SQLite's integers are of 64 bits, whatever they are called.
      const wanted = database.kind === 'sqlite' ? 'integer' : 'int8'
      const integers = types.filter((type) => /int|serial/.test(type))
      assert.ok(integers.length > 50)
      assert.deepEqual(
        integers.filter((type) => type !== wanted),
        [],
      )
    } finally {
      await database.close()
    }
  },
}
