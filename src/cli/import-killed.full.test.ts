import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { fileWith } from '../../test/support/cli/file-with.ts'
import { openStore } from '../store/open-store.ts'

const HEAD = 'id,start,end,timeZone\n'

test('an import killed at any time leaves either the old or the new slots', async (t) => {
  const slots = await commandLine(t)
  const small = await fileWith(t, `${HEAD}1,2030-01-02 10:01,2030-01-02 11:00,America/New_York\n`)
  const large = await fileWith(
    t,
    HEAD + Array.from({ length: 20_000 }, (_, n) => `${n},2030-01-01 10:00,2030-01-01 11:00,UTC\n`).join(''),
  )
  let midway = 0
  for (let kill = 0; kill < 6; kill++) {
    const slug = `clinic-${kill}`
    await slots.run('import', small, '--publisher', slug)
    const running = slots.start(['import', large, '--publisher', slug])
    const timer = setTimeout(() => running.kill('SIGKILL'), 500 + kill * 200)
    const { code } = await running.ended
    clearTimeout(timer)
    if (code === null) midway++
    const store = await openStore(slots.databaseUrl)
    const source = await store.sources.find(slug)
    const changes = await store.revisionFeed.open(undefined)
    let served = 0
    for await (const piece of changes.inserted()) served += piece.length
    await changes.close()
    await store.close()
    assert.ok(source?.slotCount === 1 || source?.slotCount === 20_000, `${source?.slotCount}`)
    assert.equal(served, source.slotCount)
    await slots.run('source', 'remove', slug)
  }
  assert.ok(midway > 0, 'no kill came in the middle')
})
