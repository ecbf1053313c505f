import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { EXPORT_BYTES_MAX, exportList } from './export-list.ts'

const ROW_BYTES = 400_000

/** Exports `rows` rows of 400 kB each. Returns the name of the file, its bytes and the number of rows that were read. */
async function exportOf(rows: number): Promise<{ name: string; bytes: number; lines: number; read: number }> {
  let read = 0
  const response = await exportList<number>({
    fileName: 'requests.csv',
    columns: ['text'],
    async read(last = 0, limit) {
      const page = Array.from({ length: Math.min(limit, rows - last) }, (_, n) => last + n + 1)
      read += page.length
      return page
    },
    cellsOf: () => ['é'.repeat(ROW_BYTES / 2)],
    userId: 'ann',
    signal: new AbortController().signal,
  })
  const name = /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
  const text = Buffer.from(await response.arrayBuffer())
  return { name, bytes: text.length, lines: text.toString().split('\r\n').length - 1, read }
}

test('bounds the bytes of an export, and its name says that there is more', async () => {
  const { name, bytes, lines } = await exportOf(5000)
  assert.equal(name, 'requests-newest.csv')
  assert.ok(bytes <= EXPORT_BYTES_MAX && bytes > EXPORT_BYTES_MAX - ROW_BYTES - 10, `${bytes} bytes`)
  assert.equal(lines, 1 + Math.floor((EXPORT_BYTES_MAX - 6) / (ROW_BYTES + 2)))
})

test('names a complete export without an addition', async () => {
  const { name, lines } = await exportOf(3)
  assert.deepEqual([name, lines], ['requests.csv', 4])
})

test('runs two exports at once, and lets users take turns', async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (userId: string, name: string) =>
    exportList<string>({
      fileName: 'requests.csv',
      columns: ['text'],
      async read() {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return []
      },
      cellsOf: (text) => [text],
      userId,
      signal: new AbortController().signal,
    })
  const exports = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => start(name[0], name))
  for (let ended = 0; ended < exports.length; ended++) {
    await settle()
    if (ended === 0) assert.deepEqual(begun, ['a1', 'a2'])
    ends.get(begun[ended])?.()
  }
  await Promise.all(exports)
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'a4'])
})
