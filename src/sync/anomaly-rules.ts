import { DAY_MS } from '../lib/time.ts'
import type { AnomalyKind } from '../shared/source-vocabulary.ts'
import type { Anomaly, HeldSnapshot, SourceWatch } from '../store/contracts/source-watch.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'

/** A source with fewer slots can become empty because all of them were booked. */
export const MANY_SLOTS_MIN = 10

/** Minimum number of slots lost in a sharp drop, which must also be more than half of all slots. */
export const DROP_MIN = 100
const DROP_SHARE = 0.5

/** Minimum number of slots gained in a sharp rise, which must also be at least ten times as many as before. */
const GROWTH_MIN = 10_000
const GROWTH_FACTOR = 10

/** Maximum age of a publisher's timestamp. */
const CLOCK_MS_MAX = DAY_MS

/** How long a drop or a rise is reported if it lasts. */
const CHANGE_MS_MAX = DAY_MS

/** A new snapshot and the previous one. */
export interface NewSnapshot {
  readonly before: Pick<SourceOverview, 'slotCount' | 'publishedAtMs' | 'watch'>
  readonly slotCount: number
  /** A slot was added, changed or removed. */
  readonly isChanged: boolean
  readonly publishedAtMs: number | undefined
  readonly lastEndMs: number | undefined
  readonly nowMs: number
}

/** A rule that detects one kind of anomaly. */
export interface AnomalyRule {
  readonly kind: AnomalyKind
  /** The condition, as documented in docs/operations.md. */
  readonly means: string
  /** One sentence for operators. */
  readonly describe: (anomaly: Anomaly) => string
  readonly isMet: (snapshot: NewSnapshot) => boolean
}

/** Ordered by severity. A test compares the table in docs/operations.md. */
export const ANOMALY_RULES: readonly AnomalyRule[] = [
  {
    kind: 'emptied',
    means: `It had ${MANY_SLOTS_MIN} slots or more and has none.`,
    describe: ({ before }) => `It had ${before} slots and now has none.`,
    isMet: ({ before, slotCount }) => isEmptied(before.slotCount, slotCount),
  },
  {
    kind: 'grown',
    means: `It has at least ${GROWTH_FACTOR} times as many slots as before, and ${GROWTH_MIN} more, but did not begin with none. Lasts for a day, or until it has fewer.`,
    describe: ({ before, after }) => `It had ${before} slots and now has ${after}.`,
    isMet: ({ before, slotCount }) => isSharpRise(before.slotCount, slotCount),
  },
  {
    kind: 'dropped',
    means: `It lost more than half of its slots, and at least ${DROP_MIN}, in one sync. Lasts for a day, or until half of them are back.`,
    describe: ({ before, after }) => `It had ${before} slots and now has ${after}.`,
    isMet: ({ before, slotCount }) => isSharpDrop(before.slotCount, slotCount),
  },
  {
    kind: 'ended',
    means: `It has ${MANY_SLOTS_MIN} slots or more, and all of them have ended.`,
    describe: ({ after }) => `All of its ${after} slots have ended.`,
    isMet: ({ slotCount, lastEndMs, nowMs }) =>
      slotCount >= MANY_SLOTS_MIN && lastEndMs !== undefined && lastEndMs <= nowMs,
  },
  {
    kind: 'clock-back',
    means: "The publisher's timestamp is earlier than before.",
    describe: () => "The publisher's timestamp is earlier than before.",
    isMet: ({ before, publishedAtMs }) =>
      publishedAtMs !== undefined && before.publishedAtMs !== undefined && publishedAtMs < before.publishedAtMs,
  },
  {
    kind: 'clock-stuck',
    means: "The slots have changed, but the publisher's timestamp has not.",
    describe: () => "The slots have changed, but the publisher's timestamp has not.",
    isMet: ({ before, publishedAtMs, isChanged }) =>
      isChanged && publishedAtMs !== undefined && publishedAtMs === before.publishedAtMs,
  },
  {
    kind: 'clock-old',
    means: "The publisher's timestamp is more than a day old.",
    describe: () => "The publisher's timestamp is more than a day old.",
    isMet: ({ publishedAtMs, nowMs }) => publishedAtMs !== undefined && nowMs - publishedAtMs > CLOCK_MS_MAX,
  },
]

/** Compares a snapshot with the previous one. `detected`: its own anomalies; `all`: also earlier ones that still apply. */
export function detectAnomalies(snapshot: NewSnapshot): { detected: Anomaly[]; all: Anomaly[] } {
  const { before, slotCount, nowMs } = snapshot
  const detected = ANOMALY_RULES.filter((rule) => rule.isMet(snapshot)).map(({ kind }) => ({
    kind,
    atMs: nowMs,
    before: before.slotCount,
    after: slotCount,
  }))
  const isNew = (anomaly: Anomaly) => detected.some(({ kind }) => kind === anomaly.kind)
  const ongoing = before.watch.anomalies.filter((anomaly) => !isNew(anomaly) && stillApplies(anomaly, snapshot))
  return { detected, all: [...detected, ...ongoing] }
}

/** The stored anomalies that still apply. Sudden losses and rises apply while they last; the others until the next sync. */
export function ongoingAnomalies({ watch, slotCount }: SourceOverview, nowMs: number): Anomaly[] {
  return watch.anomalies.filter((anomaly) => !CHANGE_KINDS.has(anomaly.kind) || isOngoing(anomaly, slotCount, nowMs))
}

/** One sentence per anomaly, ordered by severity. */
export function describeAnomalies(anomalies: readonly Anomaly[]): string {
  return ANOMALY_RULES.flatMap(({ kind, describe }) =>
    anomalies.filter((anomaly) => anomaly.kind === kind).map((anomaly) => describe(anomaly)),
  ).join(' ')
}

/** Whether a snapshot with these anomalies must be held for review. Approved kinds do not count. */
export function needsReview({ reviewPolicy, approved }: SourceWatch, detected: readonly Anomaly[]): boolean {
  const open = detected.filter(({ kind }) => !approved.includes(kind))
  if (reviewPolicy === 'extreme') return open.some(({ kind }) => kind === 'emptied' || kind === 'grown')
  return reviewPolicy === 'suspicious' && open.length > 0
}

/** Whether a new snapshot is equivalent to the held one that was reviewed: no other anomalies and no further sharp change. */
export function matchesHeldSnapshot(
  held: HeldSnapshot,
  { detected, slotCount }: { detected: readonly Anomaly[]; slotCount: number },
): boolean {
  const isKnown = ({ kind }: Anomaly) => held.anomalies.some((anomaly) => anomaly.kind === kind)
  const { after } = held
  const isOther = isSharpDrop(after, slotCount) || isEmptied(after, slotCount) || isSharpRise(after, slotCount)
  return detected.every(isKnown) && !isOther
}

function isEmptied(before: number, after: number): boolean {
  return before >= MANY_SLOTS_MIN && after === 0
}

function isSharpDrop(before: number, after: number): boolean {
  return after > 0 && before - after >= DROP_MIN && after < before * (1 - DROP_SHARE)
}

/** The first slots of a source are no rise. */
function isSharpRise(before: number, after: number): boolean {
  return before > 0 && after >= before * GROWTH_FACTOR && after - before >= GROWTH_MIN
}

/** Detected by comparing two snapshots, so these remain although the next snapshot equals the last. */
const CHANGE_KINDS: ReadonlySet<AnomalyKind> = new Set(['emptied', 'grown', 'dropped'])
const CLOCK_KINDS: ReadonlySet<AnomalyKind> = new Set(['clock-back', 'clock-stuck'])

/** A timestamp anomaly applies until the timestamp changes. */
function stillApplies(anomaly: Anomaly, { before, publishedAtMs, slotCount, nowMs }: NewSnapshot): boolean {
  if (CHANGE_KINDS.has(anomaly.kind)) return isOngoing(anomaly, slotCount, nowMs)
  return CLOCK_KINDS.has(anomaly.kind) && publishedAtMs === before.publishedAtMs
}

function isOngoing({ kind, atMs, before }: Anomaly, slotCount: number, nowMs: number): boolean {
  if (kind === 'emptied') return slotCount === 0
  if (nowMs - atMs >= CHANGE_MS_MAX) return false
  return kind === 'grown' ? isSharpRise(before, slotCount) : slotCount < before * (1 - DROP_SHARE)
}
