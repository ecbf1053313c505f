import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPublisher } from './publisher.ts'
import { SampleFeed } from './sample-feed.ts'

const AT = Date.parse('2026-11-21T00:40:00Z')
const STATES = new SampleFeed(1_000, 1).states.map(({ state }) => state.code)

function allSlots(feed: SampleFeed, nowMs: number) {
  return STATES.flatMap((code) => [...feed.slots(code, nowMs)])
}

test('publishes at least 50,000 slots on any day, in every state', () => {
  const feed = new SampleFeed(50_000, 1)
  for (const daysOn of [0, 1, 2, 3, 5, 8, 13, 120]) {
    const nowMs = AT + daysOn * 86_400_000
    assert.ok(allSlots(feed, nowMs).length >= 50_000)
    assert.deepEqual(
      STATES.filter((code) => feed.slots(code, nowMs).next().done === true),
      [],
    )
  }
})

test('publishes 12% of the slots in California, 75% in person, 15% virtual and 10% both', () => {
  const feed = new SampleFeed(50_000, 1)
  const slots = allSlots(feed, AT)
  const share = (count: number) => Math.round((count / slots.length) * 100)
  const of = (modality: string) => share(slots.filter((slot) => slot.schedule.modality === modality).length)
  assert.ok(Math.abs(share([...feed.slots('CA', AT)].length) - 11.5) < 2)
  assert.ok(Math.abs(of('physical') - 75) <= 2)
  assert.ok(Math.abs(of('virtual') - 15) <= 2)
  assert.ok(Math.abs(of('both') - 10) <= 2)
})

test('publishes the same feed for the same seed only', () => {
  const lines = (seed: number) => [...new SampleFeed(1_000, seed).directory('Practitioner')].join()
  assert.equal(lines(7), lines(7))
  assert.notEqual(lines(7), lines(8))
})

test('books, cancels and withdraws slots within ten minutes', () => {
  const feed = new SampleFeed(10_000, 1)
  const statuses = (nowMs: number) =>
    new Map(
      allSlots(feed, nowMs).map((slot) => [`${slot.schedule.id} ${slot.day.number} ${slot.startMinute}`, slot.status]),
    )
  const before = statuses(AT)
  const after = statuses(AT + 600_000)
  const moved = (from: string | undefined, to: string | undefined) =>
    [...before.keys(), ...after.keys()].some((key) => before.get(key) === from && after.get(key) === to)
  assert.ok(moved('free', 'busy'))
  assert.ok(moved('busy', 'free'))
  assert.ok(moved('free', undefined))
  assert.ok(moved(undefined, 'free'))
})

test('starts slots within the next 30 days, with the UTC offset of the state on that day', async () => {
  const publisher = await startPublisher({ port: 0, slots: 5_000, seed: 1, clock: () => AT })
  try {
    for (const [code, offset] of Object.entries({ MA: '-05:00', CA: '-08:00', AZ: '-07:00', HI: '-10:00' })) {
      for (const line of await readLines(publisher.url, `slots/${code}.ndjson`)) {
        const startMs = Date.parse(line.start)
        assert.ok(startMs > AT && startMs < AT + 30 * 86_400_000)
        assert.ok(line.start.endsWith(offset), line.start)
        assert.ok(Date.parse(line.end) > startMs)
      }
    }
  } finally {
    await publisher.close()
  }
})

test('publishes resolvable references, ZIP codes and valid NPIs', async () => {
  const publisher = await startPublisher({ port: 0, slots: 5_000, seed: 1, clock: () => AT })
  try {
    const manifest = parseLine(await (await fetch(publisher.url)).text())
    const ids = new Set<string>()
    const references: string[] = []
    for (const { url } of manifest.output) {
      for (const line of await readLines(url, url)) {
        ids.add(`${line.resourceType}/${line.id}`)
        references.push(...referencesOf(line))
        if (line.address !== undefined) assert.match(line.address.postalCode, /^\d{5}$/)
        if (line.resourceType === 'Practitioner') assert.ok(luhn(`80840${line.identifier[0].value}`))
      }
    }
    assert.deepEqual(
      references.filter((reference) => !ids.has(reference)),
      [],
    )
  } finally {
    await publisher.close()
  }
})

test('returns 304 for an ETag until the file changes', async () => {
  let nowMs = AT
  const publisher = await startPublisher({ port: 0, slots: 50_000, seed: 1, clock: () => nowMs })
  try {
    const url = new URL('/slots/CA.ndjson', publisher.url)
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    const body = await first.text()
    assert.equal(first.headers.get('cache-control'), 'max-age=60')
    assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
    const since = first.headers.get('last-modified') ?? ''
    assert.equal((await fetch(url, { headers: { 'if-modified-since': since } })).status, 304)
    nowMs += 60_000
    const second = await fetch(url, { headers: { 'if-none-match': etag } })
    assert.equal(second.status, 200)
    assert.notEqual(await second.text(), body)
  } finally {
    await publisher.close()
  }
})

test('serves the manifest at $bulk-publish and %24bulk-publish, and a sample booking page', async () => {
  const publisher = await startPublisher({ port: 0, slots: 100, seed: 1, clock: () => AT })
  try {
    const escaped = await fetch(publisher.url.replace('$', '%24'))
    assert.equal(parseLine(await escaped.text()).request, publisher.url)
    assert.match(await (await fetch(new URL('/book/MA-0-20778-540', publisher.url))).text(), /sample/)
    assert.equal((await fetch(new URL('/book/%', publisher.url))).status, 404)
  } finally {
    await publisher.close()
  }
})

async function readLines(base: string, path: string) {
  const text = await (await fetch(new URL(path, base))).text()
  return text.trimEnd().split('\n').map(parseLine)
}

function parseLine(line: string) {
  return JSON.parse(line)
}

function referencesOf(line: unknown): string[] {
  return [...JSON.stringify(line).matchAll(/"reference":"([^"]+)"/g)].map((match) => match[1])
}

function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
