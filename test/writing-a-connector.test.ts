import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Connector } from '../src/feeds/connector.ts'
import { faultOfRejection, faultOfSlot } from './support/feeds/conformance/assess.ts'
import { Publisher } from './support/feeds/publisher.ts'
import { RecordedDraft } from './support/feeds/recorded-draft.ts'
import { ROOT } from './support/source-files.ts'

test('the example of docs/writing-a-connector.md reads its documented feed', async () => {
  const { plainList } = await readExample()
  const lines = ['a 2030-01-08T09:00:00Z 2030-01-08T09:15:00Z', 'b 2030-01-08T09:00:00Z', 'c\0\u001b x y']
  await using publisher = await Publisher.open({ '/list': lines.join('\n') })
  const source = {
    slug: 'clinic',
    format: 'files',
    url: `${publisher.origin}/list`,
    options: {},
    strict: false,
  } as const
  const draft = new RecordedDraft()
  await plainList({ allowPrivate: true }).read(source, draft, new AbortController().signal)
  assert.deepEqual(
    [draft.slots.map(({ start }) => start), draft.rejected.map(({ line }) => line)],
    [['2030-01-08T09:00:00Z'], [2, 3]],
  )
  assert.deepEqual([...draft.slots.map(faultOfSlot), ...draft.rejected.map(faultOfRejection)].filter(Boolean), [])
  publisher.files['/list'] = (_, response) =>
    response.writeHead(200, { 'content-length': 99 }).end('a', () => response.destroy())
  const cut = plainList({ allowPrivate: true }).read(source, new RecordedDraft(), new AbortController().signal)
  await assert.rejects(cut, { name: 'FeedFailure' })
})

/** As it stands on the page, but for where its imports lie. */
async function readExample(): Promise<{ plainList: (options: { allowPrivate: boolean }) => Connector }> {
  const page = await readFile(join(ROOT, 'docs/writing-a-connector.md'), 'utf8')
  const [, text = ''] = /```ts example\n([\s\S]*?)```/.exec(page) ?? []
  const placed = text.replaceAll("from '../", `from '${pathToFileURL(join(ROOT, 'src')).href}/`)
  const folder = await mkdtemp(join(tmpdir(), 'writing-a-connector-'))
  try {
    const file = join(folder, 'example.ts')
    await writeFile(file, placed)
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
