import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import {
  type Answer,
  ask,
  index,
  KEY,
  NOW_MS,
  SLOTS,
  sampleSlots,
} from '../../../../test/support/http/sample-server.ts'
import { actorKeyOf } from '../../../slot/ids.ts'
import type { Offering, Slot } from '../../../slot/slot.ts'

const ACTORS = '/v1/scheduling/actors'

const ROOMS = 'https://clinic.example/rooms'

/** Providers in a row to the north of Boston, each 11 km from the one before, with three schedules each. */
const OFFERINGS: readonly Offering[] = Array.from({ length: 36 }, (_, n) => {
  const provider = Math.floor(n / 3)
  return {
    publisher: 'clinic',
    scheduleId: `schedule-${n}`,
    serviceTypeCode: n % 3 === 0 ? '57' : '124',
    ...(n % 3 === 0 && { serviceTypeText: 'Immunization' }),
    isVirtual: n % 3 === 2,
    modalities: n % 3 === 2 ? ['in-person', 'virtual'] : ['in-person'],
    location: { city: 'Boston', state: 'MA', latitude: 42 + provider / 10, longitude: -71 },
    provider: { name: `Provider ${provider}`, specialty: 'Dermatology' },
    details: {
      languages: [{ code: provider % 2 === 0 ? 'es-MX' : 'en' }],
      resources: {
        Location: [{ id: `location-${provider}`, identifier: [{ system: ROOMS, value: `${provider}` }] }],
        Practitioner: [{ id: `p-${provider}`, identifier: [{ value: `npi-${provider}` }] }],
        PractitionerRole: [{ id: `r-${provider}`, identifier: [{ value: `staff-${provider}` }] }],
      },
    },
  }
})

before(() => {
  const slots = sampleSlots(360).map((slot, n) => ({
    ...slot,
    start: `${new Date(slot.startMs - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00`,
    offering: OFFERINGS[(n * 7) % OFFERINGS.length],
  }))
  fillIndex(index, slots, { nowMs: NOW_MS })
})

test('filters by the identifiers and languages of providers and locations, which slots do not repeat', async () => {
  const found = async (search: string) => (await ask(`${ACTORS}?${search}`)).json.total
  assert.equal(await found(`identifier=${encodeURIComponent(`${ROOMS}|2`)}`), 1)
  assert.equal(await found('identifier=%7Cstaff-3&identifier=%7Cnpi-4'), 2)
  assert.equal(await found('identifier=%7C2'), 0)
  assert.equal(await found('language=es'), 6)
  assert.equal(await found('language=EN&language=es-mx'), 12)
  const { json } = await ask(`${SLOTS}?identifier=%7Cnpi-2&limit=1`)
  assert.equal(json.total, 30)
  assert.deepEqual([json.slots[0].provider.id, json.slots[0].details], [undefined, undefined])
  const { status, json: problem } = await ask(`${ACTORS}?identifier=2`)
  assert.equal(status, 400)
  assert.match(problem.message, /identifier must be system\|value/)
})

test('returns a card for each provider and location with slots, ordered by next slot', async () => {
  const { status, json } = await ask(`${ACTORS}?limit=2`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['actors', 'total'])
  assert.equal(json.total, 12)
  const next = (await ask(`${SLOTS}?limit=1`)).json.slots[0]
  assert.deepEqual(json.actors[0], {
    key: actorKeyOf(OFFERINGS[7]),
    publisher: 'clinic',
    serviceTypes: [{ code: '124' }, { code: '57', display: 'Immunization' }],
    totalSlots: 30,
    provider: {
      name: 'Provider 2',
      specialty: 'Dermatology',
      id: 'p-2',
      identifier: [{ value: 'npi-2' }, { value: 'staff-2' }],
    },
    location: {
      city: 'Boston',
      state: 'MA',
      latitude: 42.2,
      longitude: -71,
      id: 'location-2',
      identifier: [{ system: ROOMS, value: '2' }],
    },
    isVirtual: true,
    nextAvailableStart: '2026-06-01T08:00:00-04:00',
  })
  assert.equal(json.actors[0].nextAvailableStart, next.start)
})

test('the key of each card filters exactly its slots, and every slot has a card', async () => {
  const { json } = await ask(`${ACTORS}?limit=100&isVirtual=true`)
  let sum = 0
  for (const { key, totalSlots, nextAvailableStart, provider, isVirtual } of json.actors) {
    const own = (await ask(`${SLOTS}?limit=100&isVirtual=true&actorKey=${key}`)).json
    assert.equal(own.total, totalSlots)
    assert.equal(own.slots[0].start, nextAvailableStart)
    assert.ok(own.slots.every((slot: Slot['offering']) => slot.provider?.name === provider.name))
    assert.equal(isVirtual, true)
    sum += totalSlots
  }
  assert.equal(sum, (await ask(`${SLOTS}?isVirtual=true`)).json.total)
})

test('follows rel="next" through every actor once', async () => {
  const seen: string[] = []
  for (let path: string | undefined = `${ACTORS}?limit=5&state=MA`; path !== undefined; ) {
    const { headers, json }: Answer = await ask(path)
    seen.push(...json.actors.map(({ key }: { key: string }) => key))
    path = /<https:\/\/slots\.example([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  assert.deepEqual([seen.length, new Set(seen).size], [12, 12])
  const past = await ask(`${ACTORS}?offset=9007199254740991`)
  assert.deepEqual(past.json, { actors: [], total: 12 })
})

test('orders by distance with near if requested', async () => {
  const names = async (search: string) =>
    (await ask(`${ACTORS}?${search}`)).json.actors.map(({ provider }: { provider: { name: string } }) => provider.name)
  assert.deepEqual(await names('near=42.3,-71&radiusKm=18&sort=distance'), ['Provider 3', 'Provider 2', 'Provider 4'])
  const byStart = await names('near=42.3,-71&radiusKm=18')
  assert.deepEqual(byStart.toSorted(), ['Provider 2', 'Provider 3', 'Provider 4'])
})

test('rejects unknown parameters by name', async () => {
  const wrong: [string, string, RegExp][] = [
    ['limit=0', 'limit', /from 1 to 100/],
    ['limit=101', 'limit', /from 1 to 100/],
    ['cursor=', 'cursor', /Unknown parameter/],
    ['timeZone=UTC', 'timeZone', /Unknown parameter/],
    ['sort=distance', 'sort', /requires near/],
    ['sort=name', 'sort', /start, distance/],
    ['actorKey=x', 'actorKey', /key of an actor/],
  ]
  for (const [search, parameter, message] of wrong) {
    const { status, json } = await ask(`${ACTORS}?${search}`)
    assert.deepEqual([status, json.error, json.parameter], [400, 'Invalid parameter', parameter], search)
    assert.match(json.message, message)
  }
})

test('requires a key and the GET method', async () => {
  assert.equal((await ask(ACTORS, {})).status, 401)
  const posted = await ask(ACTORS, { 'x-api-key': KEY }, 'POST')
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD, OPTIONS'])
})
