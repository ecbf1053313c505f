import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { openStore } from '../open-store.ts'
import { FRESHNESS_COLUMNS } from './sources.ts'

test('reads how fresh sources are from an index, and never a row with all that a connector remembers', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'slots.db')
  await (await openStore(`sqlite:${path}`)).close()
  const database = new DatabaseSync(path)
  t.after(() => database.close())
  const query = `select ${FRESHNESS_COLUMNS.join()} from sources order by slug`
  const plan = database.prepare(`explain query plan ${query}`).all()
  assert.deepEqual(
    plan.map(({ detail }) => detail),
    ['SCAN sources USING COVERING INDEX sources_by_freshness'],
  )
})
