import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/support/eventually.ts'
import { ChangingIndex } from '../../../../test/support/slot-index/changing-index.ts'
import { runAtOnce } from '../../../lib/steps.ts'
import { slotId } from '../../../slot/ids.ts'
import type { Offering, Slot } from '../../../slot/slot.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { SlotIndex } from '../../../slot-index/slot-index.ts'
import { OpenSnapshots } from '../../../slot-index/snapshots/open-snapshots.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import { type FileAt, formatFileName } from './feed-file.ts'
import { FEED_VERSION_LIMITS, type FeedVersion, FeedVersions } from './feed-versions.ts'
import type { FeedDirectoryType } from './published-resource.ts'

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
  const directory = ['HealthcareService', 'Location', 'Practitioner', 'PractitionerRole', 'Schedule']
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
    variant: version.files.find({ type: 'Slot', state })?.variant ?? '',
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

test('the directory files of a version have the offerings of its slots, and none that came later', (t) => {
  const harness = new Harness(t)
  const version = harness.newest()
  const before = harness.readDirectory(version, 'Schedule')
  assert.equal(before.length, 2)
  harness.replace('MA', { scheduleId: 'new' })
  assert.deepEqual(harness.readDirectory(version, 'Schedule'), before)
  const after = harness.readDirectory(harness.newest(), 'Schedule')
  assert.equal(after.length, 2)
  assert.equal(intersection(before, after), 1, 'without the one that has no slots any more')
})

function intersection(one: readonly unknown[], other: readonly unknown[]): number {
  const texts = new Set(one.map((each) => JSON.stringify(each)))
  return other.filter((each) => texts.has(JSON.stringify(each))).length
}

test('creates a new version after changes, but not more often than the limit', (t) => {
  const harness = new Harness(t)
  const first = harness.newest()
  assert.equal(harness.newest(), first)
  harness.replace('MA', { capacity: 1 })
  assert.equal(runAtOnce(harness.feedVersions.newest(first.createdAtMs + EVERY_MS - 1)), first)
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
  assert.equal(harness.snapshots.size, 0)
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

test('keeps a version beyond the limit while a file of it is read', async (t) => {
  const harness = new Harness(t, { countMax: 1, keepMs: 100 })
  const first = harness.newest()
  const reading = first.read()
  for (const capacity of [1, 2]) {
    harness.replace('MA', { capacity })
    harness.newest()
  }
  assert.equal(reading.isOpen, true)
  reading.close()
  await eventually(() => !first.snapshot.isOpen)
})

test('starts over with another store', (t) => {
  const harness = new Harness(t)
  const first = harness.newest()
  harness.commitToAnotherStore()
  const second = runAtOnce(harness.feedVersions.newest(harness.nowMs))
  assert.notEqual(second, first)
  assert.deepEqual(new Set(second.files.listed.map(({ revision }) => revision.revision)), new Set([9]))
})

test('makes one version for two manifests at once, and none for an abandoned one', (t) => {
  const harness = new Harness(t)
  const slow = harness.feedVersions.newest(0)
  assert.equal(slow.next().done, false)
  const version = runAtOnce(harness.feedVersions.newest(0))
  assert.equal(runAtOnce(slow), version)
  assert.equal(harness.snapshots.size, 1)
  harness.replace('MA', { capacity: 1 })
  const abandoned = harness.feedVersions.newest(EVERY_MS)
  abandoned.next()
  assert.equal(harness.snapshots.size, 2)
  abandoned.return(version)
  assert.equal(harness.snapshots.size, 1)
})

test('a version whose snapshot the index closes during a pause is made of a newer one', (t) => {
  const harness = new Harness(t, {}, new OpenSnapshots(0))
  const steps = harness.feedVersions.newest(0)
  steps.next()
  for (const state of ['MA', 'CA']) harness.replace(state, { capacity: 1 })
  assert.equal(harness.snapshots.size, 0)
  const version = runAtOnce(steps)
  assert.equal(version.snapshot.isOpen, true)
  assert.equal(harness.read(version).length, 60)
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
  readonly sources = new KnownSources()
  readonly snapshots: OpenSnapshots
  readonly #changing: ChangingIndex
  readonly #offerings = new Map<string, Offering>()
  readonly #held = new Map<string, readonly Slot[]>()

  constructor(t: TestContext, limits: Partial<typeof FEED_VERSION_LIMITS> = {}, snapshots = new OpenSnapshots()) {
    this.snapshots = snapshots
    this.#changing = new ChangingIndex({ index: new SlotIndex(snapshots) })
    this.feedVersions = new FeedVersions(
      { index: this.#changing.index, sources: this.sources, baseUrl: '' },
      { ...FEED_VERSION_LIMITS, ...limits },
    )
    t.after(() => this.feedVersions.close())
    for (const state of ['MA', 'CA']) this.#held.set(state, this.#slots(state, {}))
    this.#changing.change({ put: [...this.#held.values()].flat(), whole: true })
  }

  newest(): FeedVersion {
    this.nowMs += EVERY_MS
    return runAtOnce(this.feedVersions.newest(this.nowMs))
  }

  replace(state: string, words: Words): void {
    const come = this.#slots(state, words)
    this.#changing.change({ remove: this.#held.get(state) ?? [], put: come })
    this.#held.set(state, come)
  }

  /** Not one slot changes. */
  commitToAnotherStore(): void {
    const put = [...this.#held.values()].flat()
    this.#changing.change({ put, whole: true, committed: { store: 2, revision: 9, atMs: 0 } })
  }

  readDirectory(version: FeedVersion, type: FeedDirectoryType): unknown[] {
    return linesOf(runAtOnce(version.open({ type })))
  }

  /** All slots of a version, file by file. */
  read(version: FeedVersion): { id: string }[] {
    const slots = version.files.listed.filter(({ file }) => file.type === 'Slot')
    return slots.flatMap(({ file }) => linesOf(runAtOnce(version.open(file))))
  }

  #slots(state: string, { status = 'free', capacity, scheduleId = 'a' }: Words): Slot[] {
    const offering = this.#offeringOf(state, scheduleId)
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
  #offeringOf(state: string, scheduleId: string): Offering {
    const name = `${state} ${scheduleId}`
    const serviceStates = ['NY', 'TX']
    const offering: Offering = {
      publisher: 'north',
      scheduleId,
      isVirtual: false,
      location: { state },
      serviceStates,
    }
    const known = this.#offerings.get(name) ?? offering
    this.#offerings.set(name, known)
    return known
  }
}

function linesOf(chunks: ChunkSource | undefined): { id: string }[] {
  assert.ok(chunks)
  let text = ''
  for (let chunk = chunks.next(); chunk !== undefined; chunk = chunks.next()) text += chunk.toString()
  chunks.close()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** The files of a version: their names by content. */
function names(version: FeedVersion): Map<string, string> {
  return new Map(
    version.files.listed.map((at) => {
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
