import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Connector } from '../../src/feeds/connector.ts'
import { MINUTE_MS } from '../../src/lib/time.ts'
import { SYNC_HISTORY_MAX } from '../../src/store/contracts/sources.ts'
import { syncSource } from '../../src/sync/sync-source.ts'
import {
  connectorThat,
  OFFERING,
  openTempStore,
  slotOf,
  syncParts,
  tempDatabaseUrl,
} from '../support/store/temp-store.ts'
import { pagesInUse, rowsByTable } from './store-contents.ts'

const START_MS = Date.UTC(2030, 0, 1)
const SLOTS = 30
const RETENTION_MS = 10 * MINUTE_MS

test('bounds the store of a feed that changes completely every minute', async (t) => {
  let nowMs = START_MS
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, () => nowMs, databaseUrl)
  await store.sources.add({ slug: 'clinic', url: 'https://clinic.example/', strict: false })
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true })
  t.after(() => database.close())

  const sizes: Size[] = []
  for (let minute = 1; minute <= 90; minute++, nowMs += MINUTE_MS) {
    const run = await syncSource(syncParts(store, changing(nowMs), { clock: () => nowMs }), 'clinic')
    assert.deepEqual([run?.outcome.added, run?.outcome.removed], [SLOTS, minute === 1 ? 0 : SLOTS])
    // As the scheduler does after each sync that changed something.
    await store.revisionFeed.purge(RETENTION_MS, nowMs)
    if (minute % 30 === 0) sizes.push(sizeOf(database))
  }

  const [, second, third] = sizes
  assert.deepEqual(third.rows, second.rows)
  assert.ok(third.historyRows <= SYNC_HISTORY_MAX)
  assert.ok(third.pages <= second.pages + 5, `${third.pages} pages after ${second.pages}`)
})

/** Each minute, the publisher gives its slots and their schedule other ids. */
function changing(nowMs: number): Connector {
  const minute = (nowMs - START_MS) / MINUTE_MS
  const offering = { ...OFFERING, scheduleId: `schedule-${minute}` }
  return connectorThat(async (draft) => {
    for (let n = 0; n < SLOTS; n++) {
      const { id } = slotOf(minute * SLOTS + n)
      draft.put(slotOf(n, { id, offering }), { file: 'slots', line: n, part: 1, fingerprint: minute * SLOTS + n })
    }
    await draft.flush()
    return {}
  })
}

interface Size {
  /** By table, except `sync_history`. */
  readonly rows: Readonly<Record<string, number>>
  /** Bounded by itself. */
  readonly historyRows: number
  /** Of the file, in use. */
  readonly pages: number
}

function sizeOf(database: DatabaseSync): Size {
  const { sync_history: historyRows, ...others } = rowsByTable(database)
  return { rows: others, historyRows, pages: pagesInUse(database) }
}
