import assert from 'node:assert/strict'
import { test } from 'node:test'
import { casesOf } from '../../../../test/support/cases.ts'
import type { DirectoryService } from '../../../../test/support/http/directory-service.ts'
import { assertSame, follow, staysEqual } from '../../../../test/support/http/follow-directory.ts'
import { OFFERING, slotOf } from '../../../../test/support/store/temp-store.ts'

const ROOT = '/fhir/$bulk-publish'

test('a second instance follows by the updates alone, and downloads what changed', async (t) => {
  const { service, reader } = await follow(
    t,
    [0, 1, 2, 3].map((n) => slotOf(n)),
  )
  await service.publish([slotOf(0), slotOf(1, { status: 'busy' }), slotOf(2), slotOf(9)])
  service.asked = []
  const { outcome } = await reader.sync()
  const { added, changed, removed } = outcome
  assert.deepEqual({ added, changed, removed }, { added: 1, changed: 1, removed: 1 })
  assert.equal(service.asked.includes(ROOT), false)
  assert.deepEqual(
    service.asked.map((path) =>
      path
        .split('/')
        .slice(0, 3)
        .join('/')
        .concat(/\/([A-Za-z]+)~/.exec(path)?.[1] ?? ''),
    ),
    [
      '/fhir/updates',
      '/fhir/updates',
      '/fhir/updates',
      '/fhir/update-filesLocation',
      '/fhir/update-filesSchedule',
      '/fhir/update-filesSlot',
      '/fhir/update-filesdeleted',
    ],
  )
  service.asked = []
  assert.equal((await reader.sync()).outcome.unchanged, true)
  assert.deepEqual([service.asked.length, service.asked[0]?.startsWith('/fhir/updates/')], [1, true])
  await assertSame(t, { service, reader })
})

test('several commits are one update with the last state of each slot', async (t) => {
  const { service, reader } = await follow(t, [slotOf(0), slotOf(1)])
  await service.publish([slotOf(1), slotOf(2)])
  await service.publish([slotOf(0, { capacity: 2 }), slotOf(2, { status: 'busy' })])
  await service.publish([slotOf(0, { capacity: 3 }), slotOf(3)])
  const { outcome } = await reader.sync()
  const { added, changed, removed } = outcome
  assert.deepEqual({ added, changed, removed }, { added: 1, changed: 1, removed: 1 })
  await assertSame(t, { service, reader })
})

test('files of an update are the same whenever they are read', async (t) => {
  const { service } = await follow(t, [slotOf(0), slotOf(1)])
  const before = await nextOf(service.manifestUrl)
  await service.publish([slotOf(1, { capacity: 2 }), slotOf(2)])
  const page = await nextOf(before)
  const read = async () => {
    const { output, deleted } = await get(page)
    return Promise.all(
      [...output, ...deleted].map(async ({ url }: { url: string }) => [url, await (await fetch(url)).text()]),
    )
  }
  const first = await read()
  await service.publish([slotOf(3)])
  // Another process has nothing in memory.
  await service.restart()
  assert.deepEqual(await read(), first)
  const [[url = '', text = ''] = []] = first
  const { headers } = await fetch(url)
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('content-encoding'), 'gzip')
  const coded = await fetch(url, { headers: { range: 'bytes=3-12', 'if-range': `${headers.get('etag')}` } })
  assert.equal(coded.status, 200, 'a compressed copy is not resumed by bytes of the plain file')
  await coded.text()
  const part = await fetch(url, { headers: { range: 'bytes=3-12' } })
  assert.deepEqual([part.status, await part.text()], [206, text.slice(3, 13)])
})

test('a large update comes in pages', async (t) => {
  const { service, reader } = await follow(t, [slotOf(0)])
  const slots = Array.from({ length: 4500 }, (_, n) => slotOf(n + 1))
  await service.publish(slots)
  service.asked = []
  assert.equal((await reader.sync()).outcome.added, 4500)
  assert.equal(service.asked.filter((path) => path.startsWith('/fhir/updates/') && path.includes('~')).length, 2)
  await assertSame(t, { service, reader })
})

test('pages of an update are the same after a restart, and there are no others', async (t) => {
  const { service } = await follow(t, [slotOf(0)])
  const page = await nextOf(service.manifestUrl)
  await service.publish(Array.from({ length: 4500 }, (_, n) => slotOf(n + 1)))
  const first = await nextOf(page)
  const second = await nextOf(first)
  const linesOf = async () => {
    const { output } = await get(second)
    return (await fetch(output.at(-1).url)).text()
  }
  const lines = await linesOf()
  await service.restart()
  assert.equal(await linesOf(), lines)
  assert.match(await nextOf(second), /updates\/[^~]*$/)
  for (const other of [second.replace('~2.', '~3.'), second.replace('~2.', '~999.'), first.replace('~', '~1')]) {
    const { status, headers } = await fetch(other)
    assert.deepEqual([status, headers.get('content-type')], [404, 'application/fhir+json'], other)
  }
})

test('no page has an earlier time than the page that links to it', async (t) => {
  const { service } = await follow(t, [slotOf(0)])
  const polled = await nextOf(service.manifestUrl)
  await service.publish([slotOf(1)])
  for (const first of [polled, service.manifestUrl, polled]) {
    service.nowMs += 10_000
    const times: string[] = []
    for (let url = first; url.startsWith('http'); ) {
      const { transactionTime, link } = await get(url)
      service.nowMs += 1000
      times.push(transactionTime)
      url = link[0].url
    }
    assert.deepEqual(times, times.toSorted())
  }
})

test('an update that is no longer known closes the chain, and the reader starts over', async (t) => {
  const { service, reader } = await follow(t, [slotOf(0), slotOf(1)])
  const page = await nextOf(service.manifestUrl)
  await service.publish([slotOf(1), slotOf(2)])
  const update = await nextOf(page)
  const [{ url }] = (await get(update)).output
  await service.restart()
  await service.store.revisionFeed.purge(0, service.nowMs + 60_000, 0)
  await service.publish([slotOf(1), slotOf(3)])
  assert.equal(await nextOf(update), '#closed')
  const gone = await fetch(url)
  assert.deepEqual([gone.status, (await gone.json()).resourceType], [410, 'OperationOutcome'])
  service.asked = []
  await reader.sync()
  assert.ok(service.asked.includes(ROOT))
  await assertSame(t, { service, reader })
})

test('a restored store closes the chain, and the reader starts over and follows again', async (t) => {
  const { service, reader } = await follow(t, [slotOf(0), slotOf(1)])
  const backup = await service.backUp()
  await service.publish([slotOf(1), slotOf(2)])
  await reader.sync()
  const page = await nextOf(service.manifestUrl)
  await service.restore(backup)
  assert.equal(await nextOf(page), '#closed')
  await reader.sync()
  await assertSame(t, { service, reader })
  await service.publish([slotOf(5)])
  service.asked = []
  await reader.sync()
  assert.equal(service.asked.includes(ROOT), false)
  await assertSame(t, { service, reader })
})

test('a resource that lost its last slot is deleted by an update, unless another slot refers to it', async (t) => {
  const at = (name: string, scheduleId: string) => ({
    offering: { publisher: 'clinic', scheduleId, isVirtual: false, location: { name, state: 'MA' } },
  })
  const slots = [slotOf(0, at('Elm', 'a')), slotOf(1, at('Elm', 'b')), slotOf(2, at('Oak', 'c'))]
  const { service, reader } = await follow(t, slots)
  assert.deepEqual(await reader.count('Location'), 2)
  assert.deepEqual(await reader.count('Schedule'), 3)
  await service.publish(slots.slice(0, 1))
  await reader.sync()
  service.nowMs += 60_000
  await service.purge()
  service.asked = []
  const { outcome } = await reader.sync()
  assert.deepEqual([outcome.added, outcome.changed, outcome.removed], [0, 0, 0])
  assert.equal(service.asked.includes(ROOT), false)
  assert.deepEqual([await reader.count('Location'), await reader.count('Schedule')], [1, 1])
  await service.publish(slots)
  await reader.sync()
  assert.deepEqual([await reader.count('Location'), await reader.count('Schedule')], [2, 3])
  await assertSame(t, { service, reader })
})

test('an update has a slot that was deleted later, although its offering is deleted', async (t) => {
  const { service, reader } = await follow(t, [slotOf(0), slotOf(1)])
  await service.publish([slotOf(0)])
  await reader.sync()
  service.nowMs += 3_600_000
  const elm = slotOf(3, { offering: { ...OFFERING, scheduleId: 'elm' } })
  // From an odd revision, an update has one commit only: the one that inserts the slot.
  for (let n = 4; (await newestOf(service)) % 2 === 0; n++) await service.publish([slotOf(0), slotOf(n)])
  await reader.sync()
  await service.publish([slotOf(0), elm])
  await service.publish([slotOf(0)])
  // Keeps the last commits, and deletes the offering that only they refer to.
  const before = await newestOf(service)
  await service.store.revisionFeed.purge(600_000, service.nowMs)
  assert.equal(await newestOf(service), before + 1)
  service.asked = []
  await reader.sync()
  assert.equal(service.asked.includes(ROOT), false)
  await assertSame(t, { service, reader })
})

test('no resource is deleted that the source has which was added with the slug of a removed one', async (t) => {
  const slots = [slotOf(0, { offering: { ...OFFERING, location: { name: 'Elm', state: 'MA' } } })]
  const { service, reader } = await follow(t, slots)
  await service.store.sources.remove('clinic')
  await service.store.sources.add({ slug: 'clinic', url: 'https://clinic.example/', strict: false })
  await service.store.sources.setReviewPolicy('clinic', 'nothing')
  await service.publish(slots)
  await reader.sync()
  service.nowMs += 60_000
  const before = await newestOf(service)
  await service.purge()
  assert.equal(await newestOf(service), before + 1)
  service.asked = []
  await reader.sync()
  assert.equal(service.asked.includes(ROOT), false)
  assert.deepEqual([await reader.count('Location'), await reader.count('Schedule')], [1, 1])
})

test('the copy stays equal through random changes, restarts, restores and purges', async () => {
  await staysEqual(casesOf(8))
})

// biome-ignore lint/suspicious/noExplicitAny: looked at field by field
async function get(url: string): Promise<any> {
  return (await fetch(url)).json()
}

async function nextOf(url: string): Promise<string> {
  const { link } = await get(url)
  return link[0].url
}

async function newestOf({ store }: DirectoryService): Promise<number> {
  return (await store.revisionFeed.revisions()).slots
}
