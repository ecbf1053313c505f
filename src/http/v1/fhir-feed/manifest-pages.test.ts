import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DirectoryService } from '../../../../test/support/http/directory-service.ts'
import { slotsInRegions } from '../../../../test/support/http/many-states.ts'
import { LAST_SOURCE_SYNC } from './fhir-urls.ts'

test('a manifest of more than 200 files comes in pages of one snapshot, whose addresses are immutable', async (t) => {
  const service = await DirectoryService.start(t)
  await service.publish(slotsInRegions(205))
  const first = await (await fetch(service.manifestUrl)).json()
  assert.equal(first.output.length, 200)
  const [{ relation, url }] = first.link
  assert.equal(relation, 'next')
  await service.publish(slotsInRegions(3))
  const response = await fetch(url)
  assert.equal(response.headers.get('cache-control'), 'public, max-age=3600, immutable')
  const second = await response.json()
  const { output, link, ...head } = second
  assert.deepEqual({ ...first, output: [], link: [] }, { ...head, output: [], link: [] })
  const all = [...first.output, ...output]
  assert.deepEqual(new Set(all.map((entry) => entry.url)).size, all.length)
  assert.equal(all.filter(({ type }) => type === 'Slot').length, 205)
  assert.match(link[0].url, /\/fhir\/updates\/[0-9a-z.]+\.json$/)
  const etag = `${response.headers.get('etag')}`
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await (await fetch(service.manifestUrl)).json()).output.length < 10, true)
})

test('a page of a manifest that is not kept is gone, and an OperationOutcome says so', async (t) => {
  const service = await DirectoryService.start(t)
  await service.publish(slotsInRegions(205))
  const [{ url }] = (await (await fetch(service.manifestUrl)).json()).link
  for (const other of [url.replace('~2.', '~3.'), url.replace(/1~/, '9~'), url.replace(/~[0-9a-z]{4}~/, '~0000~')]) {
    const { status, headers } = await fetch(other)
    assert.deepEqual([status, headers.get('content-type')], [410, 'application/fhir+json'], other)
  }
  await service.restart()
  assert.equal((await fetch(url)).status, 410)
})

test('the first page states the last syncs, also of slots that have not changed, and no other page changes', async (t) => {
  const service = await DirectoryService.start(t)
  const slots = slotsInRegions(205)
  await service.publish(slots)
  const first = await manifestOf(service)
  const page = await (await fetch(first.next)).text()
  service.nowMs += 10_000
  await service.publish(slots)
  assert.deepEqual(await manifestOf(service), first)
  service.nowMs += 20_000
  const second = await manifestOf(service)
  assert.equal(second.revision, first.revision)
  assert.deepEqual(first.syncs, ['2029-06-01T00:00:00.000Z'])
  assert.deepEqual(second.syncs, ['2029-06-01T00:00:10.000Z'])
  assert.notEqual(second.etag, first.etag)
  assert.equal(second.next, first.next)
  assert.equal(await (await fetch(second.next)).text(), page)
})

test('a page of a manifest keeps its content when the address of a publisher changes, but no slot', async (t) => {
  const service = await DirectoryService.start(t)
  const slots = slotsInRegions(205)
  await service.publish(slots)
  const before = await manifestOf(service)
  const page = await (await fetch(before.next)).text()
  await service.store.sources.edit('clinic', () => ({ url: 'https://moved.example/' }))
  await service.publish(slots)
  const after = await manifestOf(service)
  assert.equal(after.revision, before.revision)
  assert.notEqual(after.next, before.next)
  assert.notEqual(await (await fetch(after.next)).text(), page)
  assert.equal(await (await fetch(before.next)).text(), page)
  await service.restart()
  assert.equal((await manifestOf(service)).next, after.next)
  assert.equal((await fetch(before.next)).status, 410)
})

async function manifestOf({ manifestUrl }: DirectoryService) {
  const response = await fetch(manifestUrl)
  const { output, link } = await response.json()
  const { extension } = output.find(({ type }: { type: string }) => type === 'Schedule')
  return {
    revision: response.headers.get('slots-revision'),
    etag: response.headers.get('etag'),
    syncs: Object.values(extension[LAST_SOURCE_SYNC]),
    next: link[0].url,
  }
}
