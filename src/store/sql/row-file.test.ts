import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GrowingColumns, type RowColumns } from './row-columns.ts'
import { BLOCK_ROWS, RowFileWriter, readRowFile } from './row-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'slots-rows-'))
after(() => rmSync(folder, { recursive: true }))

test('reads the rows as written, with the last blocks first', () => {
  const file = new RowFileWriter(join(folder, 'order'))
  const drafts = rows(10_000, 3)
  const earlier = rows(1, BLOCK_ROWS + 5)
  file.append(drafts)
  const firstBlock = file.blockCount
  file.append(earlier)
  file.finish('t', firstBlock)
  const read = readRowFile(file.path, 't')
  for (const name of ['keys', 'fingerprints', 'parts', 'ends', 'tags'] as const)
    assert.deepEqual([...(read?.[name] ?? [])], [...earlier[name], ...drafts[name]])
})

test('reads no file that is absent, damaged, cut or has another token', () => {
  const path = join(folder, 'damaged')
  const file = new RowFileWriter(path)
  file.append(rows(1, 2))
  file.finish('t', 0)
  const whole = readFileSync(path)
  assert.equal(readRowFile(path, 't')?.keys.length, 2)
  assert.equal(readRowFile(path, 'u'), undefined)
  assert.equal(readRowFile(join(folder, 'absent'), 't'), undefined)
  for (let at = 0; at < whole.length; at += 3) {
    writeFileSync(path, whole.subarray(0, at))
    assert.equal(readRowFile(path, 't'), undefined, `cut at ${at}`)
    const damaged = Buffer.from(whole)
    damaged[at] ^= 1
    writeFileSync(path, damaged)
    const read = readRowFile(path, 't')
    assert.ok(read === undefined || isSame(read, rows(1, 2)), `damaged at ${at}`)
  }
})

function rows(firstKey: number, count: number): RowColumns {
  const columns = new GrowingColumns(count)
  for (let key = firstKey; key < firstKey + count; key++)
    columns.push(key, 2 ** 52 - key, 2 ** 32 - key, 1_800_000_000 + key, key * 31)
  return columns.byKey()
}

function isSame(one: RowColumns, other: RowColumns): boolean {
  return (['keys', 'fingerprints', 'parts', 'ends', 'tags'] as const).every(
    (name) => String(one[name]) === String(other[name]),
  )
}
