import assert from 'node:assert/strict'
import { fstatSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { fileOf, SpooledFile, SpoolFull } from './spooled-file.ts'

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function textOf(descriptor: number): Promise<string> {
  let text = ''
  for await (const piece of fileOf(descriptor, 'file').open()) text += piece
  return text
}

const ours = () => readdirSync(tmpdir()).filter((name) => name.startsWith('scheduling-slots-') && name.length === 23)

test('spools to an unlinked file that can be read repeatedly and partially', async () => {
  const before = ours().length
  await using file = await SpooledFile.spool(pieces('first ', 'second'), 100)
  assert.equal(ours().length, before, 'there is no name that could be left behind')
  assert.equal(fstatSync(file.descriptor).mode & 0o077, 0, 'nobody else may read it')
  for await (const _ of fileOf(file.descriptor, 'file').open()) break
  assert.equal(await textOf(file.descriptor), 'first second')
  assert.deepEqual(await Promise.all([textOf(file.descriptor), textOf(file.descriptor)]), [
    'first second',
    'first second',
  ])
})

test('rejects content above the limit and leaves no file', async () => {
  await assert.rejects(SpooledFile.spool(pieces('12345', '67890', 'x'), 10), SpoolFull)
  await using fits = await SpooledFile.spool(pieces('12345', '67890'), 10)
  assert.equal(await textOf(fits.descriptor), '1234567890')
})

test('rejects with the error of the content', async () => {
  async function* broken() {
    yield Buffer.from('x')
    throw new Error('cut off')
  }
  await assert.rejects(SpooledFile.spool(broken(), 10), /cut off/)
})
