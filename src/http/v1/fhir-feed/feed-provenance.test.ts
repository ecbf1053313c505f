import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { follow } from '../../../../test/support/http/follow-directory.ts'
import { ChangingIndex } from '../../../../test/support/slot-index/changing-index.ts'
import { slotOf } from '../../../../test/support/store/temp-store.ts'
import { runAtOnce } from '../../../lib/steps.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { ExportPump } from '../export-slots/export-pump.ts'
import { keyedAccess } from './feed-access.ts'
import { type FileAt, formatFileName } from './feed-file.ts'
import { FEED_VERSION_LIMITS, type FeedVersion, FeedVersions } from './feed-versions.ts'
import { LAST_SOURCE_SYNC } from './fhir-urls.ts'
import { manifestOf } from './show-manifest.ts'

const { intervalMs, catchUpMs } = FEED_VERSION_LIMITS

test('two threads that know different addresses of a publisher name its files differently, and no others', (t) => {
  const { index } = twoPublishers()
  const [before, after] = ['https://old.example/', 'https://new.example/'].map((url) => new Thread(t, index, url))
  const [old, edited] = [before, after].map((thread) => runAtOnce(thread.versions.newest(0)))
  const [oldFiles, editedFiles] = [contentsOf(old), contentsOf(edited)]
  for (const [name, text] of editedFiles) assert.equal(oldFiles.get(name) ?? text, text, name)
  const other = new Set(oldFiles.keys())
  assert.deepEqual(
    [...editedFiles.keys()].filter((name) => other.has(name)).map((name) => name.split('~', 1)[0]),
    ['Slot-CA'],
  )
  assert.equal(after.versions.find(fileOf(old, 'MA')), undefined)
  assert.equal(after.versions.find(fileOf(old, 'CA')), edited)
})

test('a new version has the new address of a publisher, and the one before is unchanged', (t) => {
  const { index } = twoPublishers()
  const { versions, sources } = new Thread(t, index, 'https://old.example/')
  const first = runAtOnce(versions.newest(0))
  const before = contentsOf(first)
  know(sources, 'https://new.example/')
  assert.equal(runAtOnce(versions.newest(intervalMs - 1)), first)
  // Another thread already has the files.
  const { committed } = first.snapshot
  assert.equal(runAtOnce(versions.newest(catchUpMs - 1, committed)), first)
  const second = runAtOnce(versions.newest(intervalMs))
  assert.notEqual(second, first)
  assert.equal(runAtOnce(versions.newest(3 * intervalMs)), second)
  assert.deepEqual(contentsOf(first), before)
  assert.match([...contentsOf(second).values()].join(''), /new\.example/)
  assert.equal(versions.find(fileOf(first, 'MA')), first)
  know(sources, 'https://newest.example/')
  assert.notEqual(runAtOnce(versions.newest(intervalMs + catchUpMs, committed)), second)
})

test('a manifest states no sync whose slots its files lack', (t) => {
  const changing = twoPublishers()
  const { versions, sources } = new Thread(t, changing.index, 'https://north.example/')
  const urls = { north: 'https://north.example/', south: 'https://south.example/' }
  know(sources, urls.north, { lastCheckedAtMs: 1000 })
  const steps = versions.newest(0)
  assert.equal(steps.next().done, false)
  const more = slotOf(2, { offering: { publisher: 'north', scheduleId: 's', isVirtual: false } })
  changing.change({ put: [more] })
  know(sources, urls.north, { lastCheckedAtMs: 2000 })
  const version = runAtOnce(steps)
  const before = { [urls.north]: '1970-01-01T00:00:01.000Z', [urls.south]: '1970-01-01T00:00:01.000Z' }
  assert.deepEqual(syncsOf(version, 1), before)
  assert.equal(runAtOnce(versions.newest(1)), version)
  assert.deepEqual(syncsOf(version, intervalMs + 1), before)
  assert.equal(syncsOf(runAtOnce(versions.newest(intervalMs)), intervalMs)[urls.north], '1970-01-01T00:00:02.000Z')
})

test('a publisher without slots whose address changes leaves the version as it is', (t) => {
  const { index } = twoPublishers()
  const { versions, sources } = new Thread(t, index, 'https://north.example/')
  const knowEmpty = (feedUrl: string) => {
    const empty = { slug: 'empty', feedUrl, paused: false, health: 'healthy', nextSyncAtMs: 0 } as const
    sources.apply({ sources: [{ ...empty, lastCheckedAtMs: 1000 }], gone: [], whole: false })
  }
  knowEmpty('https://old.example/')
  const version = runAtOnce(versions.newest(0))
  assert.ok(Object.keys(syncsOf(version, 0)).includes('https://old.example/'))
  knowEmpty('https://new.example/')
  assert.equal(runAtOnce(versions.newest(intervalMs)), version)
  assert.ok(Object.keys(syncsOf(version, intervalMs)).includes('https://new.example/'))
})

test('addresses of publishers are compared only for a version that is old and of the newest commit', (t) => {
  const changing = twoPublishers()
  const sources = new CountingSources()
  know(sources, 'https://north.example/')
  const versions = new FeedVersions({ index: changing.index, sources, baseUrl: 'https://slots.example' })
  t.after(() => versions.close())
  const version = runAtOnce(versions.newest(0))
  const { finds } = sources
  assert.equal(runAtOnce(versions.newest(intervalMs - 1)), version)
  assert.equal(runAtOnce(versions.newest(catchUpMs - 1, version.snapshot.committed)), version)
  assert.equal(sources.finds, finds)
  assert.equal(runAtOnce(versions.newest(intervalMs)), version)
  assert.notEqual(sources.finds, finds)
})

class CountingSources extends KnownSources {
  finds = 0

  override find(slug: string): ReturnType<KnownSources['find']> {
    this.finds++
    return super.find(slug)
  }
}

test('a file of an update that has another address now gets another name', async (t) => {
  const { service } = await follow(t, [slotOf(0)])
  const { link } = await get(service.manifestUrl)
  await service.publish([slotOf(0), slotOf(1)])
  const page = (await get(link[0].url)).link[0].url
  const before = await filesOf(page)
  assert.ok(before.size > 0)
  await service.store.sources.edit('clinic', () => ({ url: 'https://moved.example/' }))
  assert.deepEqual(await filesOf(page), before)
  await service.restart()
  const after = await filesOf(page)
  assert.deepEqual(new Set([...before.keys(), ...after.keys()]).size, before.size + after.size)
  for (const [n, [url, text]] of [...before].entries()) {
    const { status, headers } = await fetch(url, { redirect: 'manual', headers: { range: 'bytes=5-' } })
    const [location = '', moved] = [...after][n] ?? []
    assert.deepEqual([status, headers.get('location')], [307, location])
    assert.equal(moved, text.replaceAll('https://clinic.example/', 'https://moved.example/'))
    assert.notEqual(moved, text)
  }
})

test('a node that has a page of an update with an old address reads it again when it is asked for the new one', async (t) => {
  const { service } = await follow(t, [slotOf(0)])
  const { link } = await get(service.manifestUrl)
  await service.publish([slotOf(0), slotOf(1)])
  const page = (await get(link[0].url)).link[0].url
  const [url = ''] = (await filesOf(page)).keys()
  await service.store.sources.edit('clinic', () => ({ url: 'https://moved.example/' }))
  const moved = await fetch(url.replace(/~[0-9a-z]{4}\./, '~0000.'))
  assert.equal(moved.redirected, true)
  assert.match(await moved.text(), /https:\/\/moved\.example\//)
  assert.deepEqual([...(await filesOf(page)).keys()].includes(moved.url), true)
})

/** A thread that serves an index, and knows an address of the publisher `north`. */
class Thread {
  readonly sources = new KnownSources()
  readonly versions: FeedVersions

  constructor(t: TestContext, index: ChangingIndex['index'], url: string) {
    know(this.sources, url)
    this.versions = new FeedVersions({ index, sources: this.sources, baseUrl: 'https://slots.example' })
    t.after(() => this.versions.close())
  }
}

function know(sources: KnownSources, feedUrl: string, times: { lastCheckedAtMs?: number } = {}): void {
  const known = { paused: false, health: 'healthy', nextSyncAtMs: 0, ...times } as const
  const south = { slug: 'south', feedUrl: 'https://south.example/', ...known }
  sources.apply({ sources: [{ slug: 'north', feedUrl, ...known }, south], gone: [], whole: true })
}

/** One in Massachusetts and one in California. */
function twoPublishers(): ChangingIndex {
  const changing = new ChangingIndex()
  const put = [
    ['north', 'MA'],
    ['south', 'CA'],
  ].map(([publisher = '', state = ''], n) => {
    return slotOf(n, { offering: { publisher, scheduleId: 's', isVirtual: false, location: { state } } })
  })
  changing.change({ put })
  return changing
}

/** The last syncs that the manifest of a version states. */
function syncsOf(version: FeedVersion, nowMs: number): Record<string, string> {
  const access = keyedAccess(new ExportPump(() => nowMs))
  const { body } = manifestOf(version, access, { baseUrl: 'https://slots.example', nowMs })
  const { output } = JSON.parse(body.toString())
  return output.find(({ type }: { type: string }) => type === 'Schedule').extension[LAST_SOURCE_SYNC]
}

function fileOf(version: FeedVersion | undefined, state: string): FileAt {
  const at = version?.files.find({ type: 'Slot', state })
  assert.ok(at)
  return at
}

/** The content of each file by its name. */
function contentsOf(version: FeedVersion | undefined): Map<string, string> {
  assert.ok(version)
  const contents = new Map<string, string>()
  for (const at of version.files.listed) {
    const chunks = runAtOnce(version.open(at.file))
    let text = ''
    for (let chunk = chunks?.next(); chunk !== undefined; chunk = chunks?.next()) text += chunk.toString()
    chunks?.close()
    contents.set(formatFileName(at), text)
  }
  return contents
}

// biome-ignore lint/suspicious/noExplicitAny: looked at field by field
async function get(url: string): Promise<any> {
  return (await fetch(url)).json()
}

/** The files of a page of an update by their URLs. */
async function filesOf(page: string): Promise<Map<string, string>> {
  const { output } = await get(page)
  const files = new Map<string, string>()
  for (const { url } of output) files.set(url, await (await fetch(url)).text())
  return files
}
