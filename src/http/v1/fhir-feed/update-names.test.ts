import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatUpdateFile,
  formatUpdatePage,
  parseUpdateFile,
  parseUpdatePage,
  type UpdatePageName,
  updateEnd,
} from './update-names.ts'

const revision = fc.nat(1e12)

test('reads the names that it writes', () => {
  const names = fc.record({
    store: revision,
    from: revision,
    newest: revision,
    page: fc.integer({ min: 1, max: 999_998 }),
  })
  fc.assert(
    fc.property(names, ({ store, from, newest, page }) => {
      const after = { store, revision: from }
      const update = { after, until: updateEnd(from, Math.max(newest, from + 1)), page }
      for (const name of [
        { kind: 'pending', after },
        { kind: 'update', ...update },
        { kind: 'manifest', snapshot: after, variant: 'k3x0', page: page + 1 },
      ] satisfies UpdatePageName[])
        assert.deepEqual(parseUpdatePage(formatUpdatePage(name)), name)
      const file = { type: 'Slot', variant: 'k3x0', ...update } as const
      assert.deepEqual(parseUpdateFile(formatUpdateFile(file)), file)
    }),
  )
})

test('a reader reaches the newest commit by few updates, of which there are few', () => {
  const [first, newest] = [1000, 1600]
  const updates = new Set<string>()
  for (let start = first; start < newest; start++) {
    let steps = 0
    for (let at = start; at < newest; steps++) {
      const end = updateEnd(at, newest)
      assert.ok(end > at && end <= newest)
      updates.add(`${at} ${end}`)
      at = end
    }
    assert.ok(steps <= 2 * Math.log2(newest - start) + 1, `${start}: ${steps} updates`)
  }
  for (let after = first; after < newest; after++) {
    for (let until = after + 1; until <= newest; until++) {
      const name = `1.${after.toString(36)}~${until.toString(36)}.json`
      if (parseUpdatePage(name) !== undefined) updates.add(`${after} ${until}`)
    }
  }
  assert.ok(updates.size < 2 * (newest - first), `${updates.size} updates`)
})

test('has no names for updates that are not aligned, nor other notations', () => {
  for (const name of [
    '1.3~5.json',
    '1.4~7.json',
    '1.4~4.json',
    '1.4~2.json',
    '1.4~6~1.json',
    '1.4~6~02.json',
    '1.4.d5~6.json',
  ])
    assert.equal(parseUpdatePage(name), undefined, name)
  assert.deepEqual(parseUpdatePage('1.4~6~2.json'), {
    kind: 'update',
    after: { store: 1, revision: 4 },
    until: 6,
    page: 2,
  })
})
