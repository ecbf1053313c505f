import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Source } from '../../../../src/feeds/connector.ts'
import type { HttpLimits } from '../../../../src/feeds/http/request.ts'
import { syncSource } from '../../../../src/sync/sync-source.ts'
import { openTempStore, readAll, syncParts } from '../../store/temp-store.ts'
import { RecordedDraft } from '../recorded-draft.ts'
import { faultOfRejection, faultOfSlot } from './assess.ts'
import { CountedDraft } from './counted-draft.ts'
import { type Delivery, RETRY_AFTER_MS, VALID_DELIVERIES } from './deliveries.ts'
import { type FormatUnderTest, type OpenFeed, SUITE_NOW_MS, type SuiteSlot } from './format-under-test.ts'
import { withoutDns } from './public-name.ts'
import { EXPECTED, SAME_SLOTS, withoutResources } from './same-slots.ts'

/** Small limits, so that a hostile delivery reaches one of them soon. */
const LIMITS = { connectMs: 5000, idleMs: 400, wholeMs: 1500, wireBytesMax: 2 ** 22, bodyBytesMax: 2 ** 22 }

/** `CONFORMANCE_LINES=10000000`: as many as the largest publisher might have, in some minutes. */
const MANY_LINES = Number(process.env.CONFORMANCE_LINES ?? 20_000)

/** The maximum of memory for a read, garbage included, for any number of lines. */
const BYTES_MAX = 192 * 2 ** 20

/** The most by which the memory in use may grow from the first quarter of the lines to the last: 70 bytes a line. */
const GROWTH_BYTES_MAX = 2 ** 20

/** A read that takes longer hangs. */
const READ_MS_MAX = 30_000

/** Allowed results for a feed with an understated length: it may be read up to that length. */
const MAY_BE_READ: readonly Delivery[] = ['length too short']

/** A test of the conformance suite. */
export interface ConnectorTest {
  readonly name: string
  readonly timeout?: number
  readonly run: (t: TestContext) => Promise<void>
}

/** The contract of every connector, as tests of one format. The runner counts a test for the file that calls `test()`. */
export function conformance(format: FormatUnderTest): readonly ConnectorTest[] {
  const tests: ConnectorTest[] = [
    { name: 'serves, rejects and withholds the same Slots as every format', run: () => sameSlots(format) },
    { name: 'counts each line as put, rejected or withheld, also hostile ones', run: () => hostileLines(format) },
    { name: 'stops when it is aborted', timeout: READ_MS_MAX, run: () => stopsOnAbort(format) },
    { name: `reads ${MANY_LINES} lines and keeps none in memory`, run: () => manyLines(format) },
    ...format.deliveries
      .filter((each) => !VALID_DELIVERIES.includes(each))
      .map((delivery) => ({
        name: `changes nothing after: ${delivery}`,
        timeout: READ_MS_MAX,
        run: (t: TestContext) => changesNothing(t, format, delivery),
      })),
  ]
  if (format.deliveries.includes('throttled'))
    tests.push({ name: 'reports Retry-After of the publisher', run: () => reportsRetryAfter(format) })
  if (format.deliveries.includes('redirect to a private address'))
    tests.push({ name: 'refuses a redirect to a private address', run: () => staysPublic(format) })
  return tests.map((each) => ({ ...each, name: `${format.name}: ${each.name}` }))
}

async function sameSlots(format: FormatUnderTest): Promise<void> {
  for (const delivery of VALID_DELIVERIES) {
    await using feed = await format.open()
    feed.publish(() => SAME_SLOTS.map(({ slot }) => format.line(slot)), delivery)
    const draft = new RecordedDraft()
    await read(format, feed, draft)
    assert.deepEqual(draft.slots.map(withoutResources), EXPECTED)
    const rejectedAt = (verdict: string) =>
      SAME_SLOTS.flatMap((each, at) => (each.becomes === verdict ? [at + format.firstLine] : []))
    assert.deepEqual(
      draft.rejected.map(({ line }) => line),
      rejectedAt('rejected'),
      JSON.stringify(draft.rejected),
    )
    assert.equal(draft.counts.withheld, rejectedAt('withheld').length)
    assert.deepEqual(draft.rejected.slice(0, -1).map(faultOfRejection).filter(Boolean), [])
    assert.deepEqual(draft.slots.map(faultOfSlot).filter(Boolean), [])
  }
}

async function hostileLines(format: FormatUnderTest): Promise<void> {
  await using feed = await format.open()
  const lines = format.hostileLines.flatMap((line, at) => [format.line(wellFormed(at)), line])
  feed.publish(() => lines)
  const draft = new CountedDraft()
  await read(format, feed, draft)
  assert.equal(draft.lines, lines.length)
  assert.ok(draft.counts.put >= format.hostileLines.length, JSON.stringify(draft.counts))
}

async function stopsOnAbort(format: FormatUnderTest): Promise<void> {
  await using feed = await format.open()
  const enough = new Error('enough')
  const abort = new AbortController()
  let made = 0
  feed.publish(function* () {
    for (;;) {
      if (++made === 20_000) abort.abort(enough)
      yield format.line(wellFormed(made % 900))
    }
  })
  await assert.rejects(read(format, feed, new CountedDraft(), { signal: abort.signal }), enough)
}

async function manyLines(format: FormatUnderTest): Promise<void> {
  await using feed = await format.open()
  feed.publish(function* () {
    for (let n = 0; n < MANY_LINES; n++) yield format.line(wellFormed(n))
  })
  const before = bytesInUse()
  const early: number[] = []
  const late: number[] = []
  const draft = new CountedDraft(() => {
    if (draft.lines < MANY_LINES / 4) early.push(bytesInUse())
    else if (draft.lines > (MANY_LINES * 3) / 4) late.push(bytesInUse())
  })
  await read(format, feed, draft, { limits: {} })
  assert.deepEqual(draft.counts, { put: MANY_LINES, rejected: 0, withheld: 0 })
  assert.ok(draft.bytesMost - before < BYTES_MAX, `used ${draft.bytesMost - before} bytes`)
  const growth = Math.min(...late) - Math.min(...early)
  assert.ok(growth < GROWTH_BYTES_MAX, `grew by ${growth} bytes`)
}

/** The bytes in use after a garbage collection. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function changesNothing(
  t: Parameters<typeof openTempStore>[0],
  format: FormatUnderTest,
  delivery: Delivery,
): Promise<void> {
  const store = await openTempStore(t)
  await using feed = await format.open()
  const slots = Array.from({ length: 20 }, (_, n) => wellFormed(n))
  const more = Array.from({ length: 30 }, (_, n) => wellFormed(n + 5))
  feed.publish(() => slots.map((slot) => format.line(slot)))
  await store.sources.add({ ...sourceOf(format, feed), slug: 'clinic' })
  const sync = (limits: Partial<HttpLimits>) =>
    syncSource(syncParts(store, feed.connector(limits), { clock: () => SUITE_NOW_MS }), 'clinic')
  const first = await sync({})
  assert.deepEqual([first?.outcome.outcome, first?.outcome.added], ['ok', 20], first?.outcome.error)
  const before = await readAll(store)
  feed.publish(() => more.map((slot) => format.line(slot)), delivery)
  const broken = await sync(LIMITS)
  if (broken?.outcome.outcome !== 'failed') {
    assert.ok(MAY_BE_READ.includes(delivery), JSON.stringify(broken?.outcome))
  } else {
    assert.match(broken.outcome.error ?? '', /^Cannot read /)
    assert.deepEqual(await readAll(store), before)
  }
  feed.publish(() => more.map((slot) => format.line(slot)))
  const after = await sync({})
  assert.equal(after?.outcome.outcome, 'ok', after?.outcome.error)
  assert.equal((await readAll(store)).size, 30)
}

async function reportsRetryAfter(format: FormatUnderTest): Promise<void> {
  await using feed = await format.open()
  feed.publish(() => [], 'throttled')
  await assert.rejects(read(format, feed, new RecordedDraft()), {
    name: 'FeedFailure',
    retryAfterMs: RETRY_AFTER_MS,
  })
}

/** Only the name of the feed leads to loopback; all other addresses are checked as usual. */
async function staysPublic(format: FormatUnderTest): Promise<void> {
  await using feed = await format.open()
  const url = feed.url.replace('127.0.0.1', 'feed.test')
  const readFeed = () => read(format, feed, new RecordedDraft(), { url, allowPrivate: false })
  await withoutDns('feed.test', async () => {
    feed.publish(() => [format.line(wellFormed(0))])
    await readFeed()
    feed.publish(() => [], 'redirect to a private address')
    await assert.rejects(readFeed(), { name: 'FeedFailure', message: /address must be public/ })
  })
}

interface ReadOptions {
  readonly limits?: Partial<HttpLimits>
  readonly signal?: AbortSignal
  readonly allowPrivate?: boolean
  readonly url?: string
}

async function read(
  format: FormatUnderTest,
  feed: OpenFeed,
  draft: RecordedDraft | CountedDraft,
  { limits, signal = new AbortController().signal, allowPrivate = true, url = feed.url }: ReadOptions = {},
): Promise<void> {
  const connector = feed.connector(limits, allowPrivate)
  const { unchanged } = await connector.read({ ...sourceOf(format, feed), url }, draft, signal)
  assert.equal(unchanged, false)
}

function sourceOf({ format }: FormatUnderTest, { url }: OpenFeed): Source {
  return { slug: 'clinic', format, url, options: {}, strict: false }
}

/** The n-th valid slot of any number of different ones, all within the days of the suite. */
function wellFormed(n: number): SuiteSlot {
  const startMs = SUITE_NOW_MS + 3_600_000 + (n % 2000) * 900_000
  const instant = (ms: number) => new Date(ms).toISOString()
  return { id: `slot-${n}`, start: instant(startMs), end: instant(startMs + 900_000) }
}
