import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILES_MAX, type Manifest } from './manifest.ts'
import { PAGES_MAX, readPages } from './pages.ts'

const page = (next?: string, files = 0): Manifest => ({
  isBulkPublish: true,
  files: Array.from({ length: files }, (_, at) => ({ url: `https://example.org/${at}`, types: ['Slot'] })),
  deleted: [],
  outcomes: [],
  filesArePublic: true,
  ...(next !== undefined && { next }),
})

/** Reads pages by path, from `/1`. */
async function walk(pages: (path: string) => Manifest, bytes = 100): Promise<string[]> {
  const asked: string[] = []
  const read = async (url: URL) => {
    asked.push(url.pathname)
    return { manifest: pages(url.pathname), bytes }
  }
  for await (const _ of readPages(new URL('https://example.org/1'), read));
  return asked
}
const numbered = (last: number) => (path: string) =>
  path === `/${last}` ? page() : page(`https://example.org/${Number(path.slice(1)) + 1}`)

test('reads all pages in order', async () => {
  assert.deepEqual(await walk(numbered(3)), ['/1', '/2', '/3'])
  for (const end of ['#pending', '#closed']) assert.deepEqual(await walk(() => page(end)), ['/1'])
})

test('fails on cycles and on too many pages, files or bytes', async () => {
  const failure = (message: RegExp) => ({ name: 'FeedFailure', message })
  await assert.rejects(
    walk(() => page('https://example.org/1')),
    failure(/must not lead back to https:\/\/example.org\/1/),
  )
  await assert.rejects(walk(numbered(PAGES_MAX + 1)), failure(/must have at most 2000 pages/))
  assert.equal((await walk(numbered(PAGES_MAX))).length, PAGES_MAX)
  await assert.rejects(walk(numbered(5), 2 ** 24), failure(/must be at most 67108864 bytes together/))
  const half = FILES_MAX / 2 + 1
  await assert.rejects(
    walk((path) => (path === '/1' ? page('https://example.org/2', half) : page(undefined, half))),
    failure(/must list at most 10000 files together/),
  )
})
