import { SampleFeed } from '../demo/sample-feed.ts'
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../src/slot/filter-parameters.ts'
import { encodeSlot, type Offering } from '../src/slot/slot.ts'
import type { ChangeLogEntry, ChangeLogReader } from '../src/store/contracts/change-log.ts'
import { ChangeMatcher } from '../src/subscriptions/change-matcher.ts'
import { RecentRemovals } from '../src/subscriptions/recent-removals.ts'
import { SubscriptionIndex } from '../src/subscriptions/subscription-index.ts'
import { callersMix, sampleSlots } from './callers.ts'
import { start } from './processes.ts'
import { median } from './report.ts'
import { sampleOffering, sampleSlot } from './sample-slots.ts'
import { type Bench, serving, storeOf } from './serving.ts'

const CHANGED = 1000
const MATCH_MS_MAX = 200
const P99_FACTOR_MAX = 1.5

/** Which part of a question of the callers' mix subscriptions have as their filters. */
const WISHES: Readonly<Record<string, (question: string) => string>> = {
  'a state and one or two filters': (question) => question.replace(/&?(startAfter|startBefore|offset)=[^&]*/g, ''),
  'a state, one or two filters and a day': (question) => question.replace(/&?offset=[^&]*/, ''),
  'a state and a day': (question) => question.replace(/(^|&)(?!state=|startAfter=|startBefore=)\w+=[^&]*/g, ''),
  'a state': (question) => question.replace(/(^|&)(?!state=)\w+=[^&]*/g, ''),
}

/** Subscriptions: 100,000 in the full measurement. */
function subscriptionsOf({ slots }: Bench): number {
  return Math.min(100_000, slots)
}

/** CPU time to match a commit of 1,000 slots, and the callers' mix beside it. */
export async function measureSubscriptions(bench: Bench): Promise<void> {
  for (const [name, wish] of Object.entries(WISHES)) await measureMatching(bench, name, wish)
  await measureBesideMatching(bench)
}

/** The commit adds 1,000 slots of all states that were not there before: nothing is cached between commits. */
async function measureMatching(bench: Bench, name: string, wish: (question: string) => string): Promise<void> {
  const { slots, rounds, report } = bench
  const nowMs = Date.now()
  const { rows, log, offerings } = sampleCommit(slots, nowMs)
  const index = new SubscriptionIndex()
  const asked = offerings.map((offering) => ({ start: '', ...offering }))
  const startedMs = performance.now()
  for (const [n, question] of callersMix(asked, subscriptionsOf(bench)).entries()) {
    const filters = parseFilters<FilterDraft>(wish(question), FILTER_PARAMETERS, { status: 'free' })
    index.put(`sub_${n}`, filters)
  }
  const loadMs = performance.now() - startedMs
  const commit = { revision: 1, sourceId: 1, committedAtMs: nowMs, slotsBefore: slots }
  const times: number[] = []
  let matches = 0
  for (let round = 0; round < 2 + 3 * rounds; round++) {
    const matcher = new ChangeMatcher({ index, removals: new RecentRemovals(), log, nowMs })
    const began = process.cpuUsage()
    const found = await matcher.match(rows, [commit])
    const { user, system } = process.cpuUsage(began)
    if (round >= 2) times.push((user + system) / 1000)
    matches = found.reduce((sum, { total }) => sum + total, 0)
  }
  const note = ` (${matches.toLocaleString('en-US')} pairs of a slot and distinct filters; loaded in ${Math.round(loadMs)} ms)`
  const count = index.size.toLocaleString('en-US')
  report.atMost(
    `a commit of ${CHANGED} slots, ${count} subscriptions to ${name}, CPU ms`,
    median(times),
    MATCH_MS_MAX,
    note,
  )
}

/** The callers' mix of a service without and with subscriptions, whose thread matches them, while 1,000 slots change every second. */
async function measureBesideMatching(bench: Bench): Promise<void> {
  const large = await serving(bench, 'large')
  const store = await storeOf(bench, 'large')
  const changing = await start(['bench/changing-source.ts'], store)
  try {
    const searches = callersMix(await sampleSlots(large), 100_000)
    const load = async () => (await large.load(searches)).p99Ms
    await large.load(searches, { seconds: 1 })
    const alone: number[] = []
    for (let round = 0; round < bench.rounds; round++) alone.push(await load())
    const added = await start(['bench/add-subscriptions.ts', '--subscriptions', String(subscriptionsOf(bench))], store)
    const beside: number[] = []
    try {
      for (let round = 0; round < bench.rounds; round++) beside.push(await load())
    } finally {
      await added.stop()
    }
    const note = ` (${median(beside)} and ${median(alone)} ms)`
    const what = "p99 of the callers' mix with subscriptions, relative to without"
    bench.report.atMost(what, median(beside) / median(alone), P99_FACTOR_MAX, note)
  } finally {
    for (const running of [changing, large]) await running.stop()
  }
}

/** Free slots of a feed, evenly over its states, as a page of the change log. */
function sampleCommit(slots: number, nowMs: number) {
  const feed = new SampleFeed(slots, 1)
  const offerings = new Map<string, { id: number; offering: Offering }>()
  const rows: ChangeLogEntry[] = []
  for (const { state, quota } of feed.states) {
    let left = Math.ceil((quota / slots) * CHANGED)
    for (const slot of feed.slots(state.code, nowMs)) {
      const offering = sampleOffering(slot)
      const name = `${offering.scheduleId} ${offering.appointmentType}`
      const known = offerings.get(name)
      if (known !== undefined || left-- <= 0) continue
      const { id, startMs, endMs, ...own } = sampleSlot({ ...slot, status: 'free' }, offering)
      const inserted = { id, startMs, endMs, status: 'free' as const, offeringId: offerings.size + 1 }
      offerings.set(name, { id: inserted.offeringId, offering })
      const json = encodeSlot({ ...own, id, startMs, endMs })
      const key = rows.length + 1
      rows.push({ revision: 1, phase: 'inserted', key, id, startMs, changed: false, slot: { ...inserted, json } })
    }
  }
  const stored = [...offerings.values()].map(({ id, offering }) => ({ id, json: JSON.stringify(offering) }))
  const log = { offerings: async () => stored, versions: async () => new Map() } as unknown as ChangeLogReader
  return { rows: rows.slice(0, CHANGED), log, offerings: [...offerings.values()].map(({ offering }) => offering) }
}
