import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryService } from '../../../../test/support/http/directory-service.ts'
import { assertSame, follow } from '../../../../test/support/http/follow-directory.ts'
import { OFFERING, slotOf } from '../../../../test/support/store/temp-store.ts'
import type { PlanningHorizon } from '../../../slot/planning-horizon.ts'

const FIRST = { start: '2029-06-01', end: '2029-09-01' }
const LATER = { start: '2029-06-02', end: '2029-09-02T12:00:00Z' }

test('a Schedule has the planning horizon of its source, and keeps its id when that moves', async (t) => {
  const { service } = await follow(t, [slotOf(0)])
  assert.equal('planningHorizon' in (await scheduleIn(service)), false)
  const { id } = await scheduleIn(service)
  const before = await listed(service)
  await service.publish([slotOf(0)], horizonsOf(FIRST))
  assert.deepEqual(planOf(await scheduleIn(service)), { id, planningHorizon: FIRST })
  await service.publish([slotOf(0)], horizonsOf(LATER))
  assert.deepEqual(planOf(await scheduleIn(service)), { id, planningHorizon: LATER })
  const after = await listed(service)
  assert.deepEqual(changedTypes(before, after), ['Schedule'])
  await service.restart()
  assert.deepEqual(planOf(await scheduleIn(service)), { id, planningHorizon: LATER })
  await service.publish([slotOf(0)], new Map())
  assert.equal('planningHorizon' in (await scheduleIn(service)), false)
  assert.deepEqual(changedTypes(after, await listed(service)).includes('Schedule'), true)
})

test('a second instance follows a planning horizon by the updates alone, and no slot changes', async (t) => {
  const { service, reader } = await follow(t, [slotOf(0), slotOf(1)])
  await service.publish([slotOf(0), slotOf(1)], horizonsOf(FIRST))
  service.asked = []
  const { outcome } = await reader.sync()
  assert.deepEqual([outcome.unchanged, outcome.added, outcome.changed, outcome.removed], [false, 0, 0, 0])
  assert.equal(service.asked.includes('/fhir/$bulk-publish'), false)
  assert.deepEqual(await reader.horizons(), [FIRST])
  const files = await updateFiles(service)
  await service.publish([slotOf(0)], horizonsOf(LATER))
  await service.restart()
  assert.deepEqual(await updateFiles(service, files), files, 'as of its commit, whenever it is read')
  await reader.sync()
  assert.deepEqual(await reader.horizons(), [LATER])
  await assertSame(t, { service, reader })
})

test('an update has no Schedule whose slots were gone before a reader began', async (t) => {
  const gone = { ...OFFERING, scheduleId: 'schedule-2', location: { ...OFFERING.location, name: 'Closed' } }
  const { service } = await follow(t, [slotOf(0), slotOf(1, { offering: gone })])
  await service.publish([slotOf(0)])
  await service.restart()
  const files = await Promise.all([...(await listed(service)).values()].map(linesOf))
  await service.publish(
    [slotOf(0)],
    new Map([
      ['schedule-1', FIRST],
      ['schedule-2', FIRST],
    ]),
  )
  const update = (await Promise.all((await newestUpdate(service)).map(linesOf))).flat()
  assert.deepEqual(update.map(planOf), [planOf(await scheduleIn(service))])
  const known = new Set([...files.flat(), ...update].map(({ resourceType, id }) => `${resourceType}/${id}`))
  for (const line of update)
    for (const [, reference = ''] of JSON.stringify(line).matchAll(/"reference":"([^"]+)"/g))
      assert.ok(known.has(reference), reference)
})

async function linesOf(url: string): Promise<{ resourceType: string; id: string }[]> {
  const text = await (await fetch(url)).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const horizonsOf = (horizon: PlanningHorizon) => new Map([['schedule-1', horizon]])

function planOf({ id, planningHorizon }: { id?: string; planningHorizon?: unknown }) {
  return { id, planningHorizon }
}

// biome-ignore lint/suspicious/noExplicitAny: looked at field by field
async function get(url: string): Promise<any> {
  return (await fetch(url)).json()
}

async function listed({ manifestUrl }: DirectoryService): Promise<Map<string, string>> {
  const { output } = await get(manifestUrl)
  return new Map(output.map(({ type, url }: { type: string; url: string }) => [type, url]))
}

function changedTypes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([type, url]) => before.get(type) !== url).map(([type]) => type)
}

async function scheduleIn(service: DirectoryService): Promise<{ id?: string; planningHorizon?: unknown }> {
  const url = (await listed(service)).get('Schedule')
  assert.ok(url)
  return get(url)
}

/** The files of the newest update, or those at given URLs, with their contents. */
async function updateFiles(
  { store, origin }: DirectoryService,
  known?: readonly (readonly [url: string, text: string])[],
): Promise<[url: string, text: string][]> {
  const urls = known?.map(([url]) => url) ?? (await newestUpdate({ store, origin }))
  return Promise.all(urls.map(async (url): Promise<[string, string]> => [url, await (await fetch(url)).text()]))
}

async function newestUpdate({ store, origin }: Pick<DirectoryService, 'store' | 'origin'>): Promise<string[]> {
  const log = await store.changeLog.open()
  const { store: number, newest } = log
  await log.close()
  const name = `${number.toString(36)}.${(newest - 1).toString(36)}~${newest.toString(36)}.json`
  const { output } = await get(`${origin}/fhir/updates/${name}`)
  return output.map(({ url }: { url: string }) => url)
}
