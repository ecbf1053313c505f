import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { putSlots } from '../../../../test/support/fill-index.ts'
import { slotId } from '../../../slot/ids.ts'
import type { Offering, Slot } from '../../../slot/slot.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { readPartition } from '../../../slot-index/primary-partition.ts'
import { packIds } from '../../../slot-index/slot-batch.ts'
import { SlotIndex } from '../../../slot-index/slot-index.ts'
import { type FileAt, formatFileName } from './feed-file.ts'
import { FeedSlotLines } from './feed-slot-lines.ts'
import { FEED_VERSION_LIMITS, type FeedVersion, FeedVersions } from './feed-versions.ts'
import { FeedProvenance } from './offering-resources.ts'

const EVERY_MS = FEED_VERSION_LIMITS.intervalMs

test('a file keeps its name exactly while its content is unchanged', (t) => {
  const harness = new Harness(t)
  const first = names(harness.newest())
  harness.replace('MA', { status: 'busy' })
  const second = names(harness.newest())
  assert.deepEqual(changed(first, second), ['Slot-MA'])
  harness.replace('MA', { status: 'busy', capacity: 2 })
  harness.replace('CA', { scheduleId: 'new' })
  const third = names(harness.newest())
  const directory = ['Location', 'Practitioner', 'PractitionerRole', 'Schedule']
  assert.deepEqual(changed(second, third), [...directory, 'Slot-CA', 'Slot-MA'])
  harness.replace('MA', { status: 'free', capacity: 2 })
  assert.deepEqual(changed(third, names(harness.newest())), ['Slot-MA'])
})

test('revisions with equal content return the same file, and others do not', (t) => {
  const harness = new Harness(t)
  harness.replace('MA', { capacity: 1 })
  harness.replace('CA', { capacity: 1 })
  harness.replace('CA', { capacity: 2 })
  const version = harness.newest()
  const at = (state: string, revision: number, store = 1): FileAt => ({
    file: { type: 'Slot', state },
    revision: { store, revision },
  })
  harness.replace('MA', { capacity: 3 })
  assert.equal(harness.feedVersions.find(at('MA', 4)), version)
  assert.equal(harness.feedVersions.find(at('MA', 5)), undefined)
  assert.equal(harness.feedVersions.find(at('MA', 4, 2)), undefined)
  assert.equal(harness.feedVersions.find(at('TX', 4)), undefined)
  harness.newest()
  assert.equal(harness.feedVersions.find(at('MA', 4)), version)
  assert.notEqual(harness.feedVersions.find(at('CA', 4)), version)
  assert.notEqual(harness.feedVersions.find(at('CA', 5)), undefined)
  assert.notEqual(harness.feedVersions.find(at('MA', 5)), undefined)
})

test('a version stays readable through changes, and its files have each slot once', (t) => {
  const harness = new Harness(t)
  const version = harness.newest()
  const before = harness.read(version)
  assert.equal(before.length, 60)
  assert.equal(new Set(before.map(({ id }) => id)).size, 60)
  for (let n = 0; n < 3; n++) for (const state of ['MA', 'CA']) harness.replace(state, { capacity: n })
  assert.deepEqual(harness.read(version), before)
  assert.notDeepEqual(harness.read(harness.newest()), before)
})

test('creates a new version after changes, but not more often than the limit', (t) => {
  const harness = new Harness(t)
  const first = harness.newest()
  assert.equal(harness.newest(), first)
  harness.replace('MA', { capacity: 1 })
  assert.equal(harness.feedVersions.newest(first.createdAtMs + EVERY_MS - 1), first)
  assert.notEqual(harness.newest(), first)
})

test('releases unused versions in time and keeps versions in use', async (t) => {
  const harness = new Harness(t, { keepMs: 150 })
  const unread = harness.newest()
  harness.replace('MA', { capacity: 1 })
  const read = harness.newest()
  const [reading, other] = [read.read(), read.read()]
  harness.replace('MA', { capacity: 2 })
  await eventually(() => !unread.snapshot.isOpen)
  reading.close()
  reading.close()
  assert.equal(reading.isOpen, false)
  await sleep(400)
  assert.equal(other.isOpen, true)
  other.close()
  await eventually(() => !read.snapshot.isOpen)
  assert.equal(harness.openMoments, 0)
})

test('limits the number of kept versions', (t) => {
  const harness = new Harness(t, { countMax: 2 })
  const versions = [0, 1, 2].map((capacity) => {
    harness.replace('MA', { capacity })
    return harness.newest()
  })
  assert.deepEqual(
    versions.map(({ snapshot }) => snapshot.isOpen),
    [false, true, true],
  )
})

test('starts over with another store', (t) => {
  const harness = new Harness(t)
  const first = harness.newest()
  harness.commitToAnotherStore()
  const second = harness.feedVersions.newest(harness.nowMs)
  assert.notEqual(second, first)
  assert.deepEqual(new Set(second.files.map(({ revision }) => revision.revision)), new Set([9]))
})

interface Words {
  readonly status?: Slot['status']
  readonly capacity?: number
  readonly scheduleId?: string
}

/** Thirty slots in each of two states, which change state by state. */
class Harness {
  readonly feedVersions: FeedVersions
  nowMs = 0
  readonly #index = new SlotIndex()
  readonly #offerings = new Map<string, { offering: Offering; id: number }>()
  readonly #held = new Map<string, readonly Slot[]>()
  #revision = 1

  constructor(t: TestContext, limits: Partial<typeof FEED_VERSION_LIMITS> = {}) {
    this.feedVersions = new FeedVersions(this.#index, { ...FEED_VERSION_LIMITS, ...limits })
    t.after(() => this.feedVersions.close())
    for (const state of ['MA', 'CA']) this.#held.set(state, this.#slots(state, {}))
    const change = this.#index.begin(true, 0)
    run(putSlots(change, [...this.#held.values()].flat(), this.#ids()))
    this.#index.commit(change, { store: 1, revision: 1 })
  }

  get openMoments(): number {
    const snapshot = this.#index.openSnapshot()
    const { snapshots } = snapshot.state
    snapshot.close()
    return snapshots.size
  }

  newest(): FeedVersion {
    this.nowMs += EVERY_MS
    return this.feedVersions.newest(this.nowMs)
  }

  replace(state: string, words: Words): void {
    const come = this.#slots(state, words)
    const change = this.#index.begin(false, 0)
    run(change.remove(packIds(this.#held.get(state) ?? [])))
    run(putSlots(change, come, this.#ids()))
    this.#index.commit(change, { store: 1, revision: ++this.#revision })
    run(change.retire())
    this.#held.set(state, come)
  }

  /** Not one list changes. */
  commitToAnotherStore(): void {
    const change = this.#index.begin(false, 0)
    run(change.merge(new Uint32Array()))
    this.#index.commit(change, { store: 2, revision: 9 })
  }

  /** All slots of an version, file by file. */
  read(version: FeedVersion): { id: string }[] {
    const origin = new FeedProvenance('', new KnownSources())
    return version.files.flatMap(({ file }) => {
      if (file.type !== 'Slot') return []
      const lines = new FeedSlotLines(readPartition(version.read(), file.state), origin)
      let text = ''
      for (let piece = lines.next(); piece !== undefined; piece = lines.next()) text += piece.toString()
      lines.close()
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    })
  }

  #ids(): Map<Offering, number> {
    return new Map([...this.#offerings.values()].map(({ offering, id }) => [offering, id]))
  }

  #slots(state: string, { status = 'free', capacity, scheduleId = 'a' }: Words): Slot[] {
    const { offering } = this.#offeringOf(state, scheduleId)
    return Array.from({ length: 30 }, (_, n) => {
      const [startMs, endMs] = [n * 60_000, n * 60_000 + 60_000]
      const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
      const own = {
        id: slotId(state, 'a', String(n), { startMs, endMs }),
        status,
        start,
        end,
        startMs,
        endMs,
      }
      return capacity === undefined ? { ...own, offering } : { ...own, capacity, offering }
    })
  }

  /** Licensed in other states as well, which gives it no second file. */
  #offeringOf(state: string, scheduleId: string) {
    const name = `${state} ${scheduleId}`
    const serviceStates = ['NY', 'TX']
    const offering: Offering = {
      publisher: 'north',
      scheduleId,
      isVirtual: false,
      location: { state },
      serviceStates,
    }
    const known = this.#offerings.get(name) ?? { offering, id: this.#offerings.size + 1 }
    this.#offerings.set(name, known)
    return known
  }
}

/** The files of a version: their names by content. */
function names(version: FeedVersion): Map<string, string> {
  return new Map(
    version.files.map((at) => {
      const name = formatFileName(at)
      return [name.slice(0, name.indexOf('~')), name]
    }),
  )
}

function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after]
    .filter(([what, name]) => before.get(what) !== name)
    .map(([what]) => what)
    .sort()
}

function run(work: Generator<void, void>): void {
  for (const _ of work);
}

async function eventually(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5000; !isSo(); await sleep(5)) assert.ok(Date.now() < deadline, 'too late')
}
