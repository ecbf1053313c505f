import { DAY_MS } from '../lib/time.ts'
import { MANY_SLOTS_MIN, REJECTED_PERCENT_MAX } from '../shared/source-fields.ts'
import type { AnomalyKind } from '../shared/source-vocabulary.ts'
import type { Anomaly, HeldSnapshot, LineCounts, SourceWatch } from '../store/contracts/source-watch.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'

/**
 * A sharp drop loses more than half of the slots, and more than chance explains: if slots are booked independently, their number
 * has a standard deviation of at most its square root. The second condition decides below 36 slots.
 */
const DROP_SHARE = 0.5
const DROP_DEVIATIONS = 3

/** The share of rejected lines beyond which a snapshot is unreadable. */
const UNREADABLE_SHARE = 0.5

/** Minimum number of slots gained in a sharp rise, which must also be at least ten times as many as before. */
const GROWTH_MIN = 10_000
const GROWTH_FACTOR = 10

/** Maximum age of a publisher's timestamp. */
const CLOCK_MS_MAX = DAY_MS

/** How long a drop or a rise is reported if it lasts. */
const CHANGE_MS_MAX = DAY_MS

/** A new snapshot and the previous one. */
export interface NewSnapshot {
  readonly before: Pick<SourceOverview, 'slotCount' | 'publishedAtMs' | 'watch'> &
    Partial<Pick<SourceOverview, 'options'>>
  readonly slotCount: number
  /** Removed slots that had ended: no loss. */
  readonly endedCount?: number
  readonly lines: LineCounts
  /** A slot was added, changed or removed. */
  readonly isChanged: boolean
  /** `lost`: no slot has a state, and some had one. Absent if it is not known whether a slot has one. */
  readonly states?: 'some' | 'lost' | undefined
  readonly publishedAtMs: number | undefined
  readonly lastEndMs: number | undefined
  readonly nowMs: number
}

/** A rule that detects one kind of anomaly. */
interface AnomalyRule {
  readonly kind: AnomalyKind
  /** The condition, as documented in docs/operating-sources.md. */
  readonly means: string
  /** One sentence for operators. */
  readonly describe: (anomaly: Anomaly) => string
  readonly isMet: (snapshot: NewSnapshot) => boolean
}

/** Ordered by severity. A test compares the table in docs/operating-sources.md. */
export const ANOMALY_RULES: readonly AnomalyRule[] = [
  {
    kind: 'emptied',
    means: `It had ${MANY_SLOTS_MIN} slots or more and has none.`,
    describe: ({ before }) => `It had ${before} slots and now has none.`,
    isMet: ({ before, slotCount }) => isEmptied(before.slotCount, slotCount),
  },
  {
    kind: 'unreadable',
    means: `It had slots, and more than ${percent(UNREADABLE_SHARE)} of the lines are rejected, a larger share than before. Lasts until the share is smaller.`,
    describe: () => `More than ${percent(UNREADABLE_SHARE)} of the lines were rejected.`,
    isMet: (snapshot) => snapshot.before.slotCount > 0 && isUnreadable(snapshot.lines) && rejectsMore(snapshot),
  },
  {
    kind: 'grown',
    means: `It had slots, and has at least ${GROWTH_FACTOR} times as many, and ${GROWTH_MIN} more. Lasts for a day, or until it has fewer.`,
    describe: ({ before, after }) => `It had ${before} slots and now has ${after}.`,
    isMet: ({ before, slotCount }) => isSharpRise(before.slotCount, slotCount),
  },
  {
    kind: 'no-states',
    means: `It had ${MANY_SLOTS_MIN} slots or more, some of them with a state, and now has ${MANY_SLOTS_MIN} or more without any. Lasts for a day, or until one has.`,
    describe: () => 'Its slots had states, and now none has one.',
    isMet: ({ before, slotCount, states }) =>
      before.slotCount >= MANY_SLOTS_MIN && slotCount >= MANY_SLOTS_MIN && states === 'lost',
  },
  {
    kind: 'dropped',
    means: `It lost more than half of its slots in one sync, not counting those that had ended, and at least ${DROP_DEVIATIONS} times the square root of their number. Lasts for a day, or until half of them are back.`,
    describe: ({ before, after }) => `It had ${before} slots and now has ${after}.`,
    isMet: (snapshot) => isSharpDrop(remainingOf(snapshot), snapshot.slotCount),
  },
  {
    kind: 'rejected',
    means: `More than ${REJECTED_PERCENT_MAX} % of the lines are rejected (or the source's \`rejectedPercentMax\`), a larger share than before; or any line, and it has no slots. Lasts while that is so.`,
    describe: ({ lines: { read, rejected, example } = NO_LINES }) =>
      `${rejected} of ${read} lines were rejected${example === undefined ? '' : `, one because: ${example}`}.`,
    isMet: (snapshot) => isRejected(snapshot) && rejectsMore(snapshot),
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
  const { before, slotCount, lines, nowMs } = snapshot
  const detected = ANOMALY_RULES.filter((rule) => rule.isMet(snapshot)).map(({ kind }): Anomaly => {
    const slots = kind === 'dropped' ? remainingOf(snapshot) : before.slotCount
    return { kind, atMs: nowMs, before: slots, after: slotCount, ...(isOfLines(kind) && { lines }) }
  })
  const isNew = (anomaly: Anomaly) => detected.some(({ kind }) => kind === anomaly.kind)
  const ongoing = before.watch.anomalies
    .filter((anomaly) => !isNew(anomaly) && stillApplies(anomaly, snapshot))
    .map((anomaly) => (isOfLines(anomaly.kind) ? { ...anomaly, lines: { ...anomaly.lines, ...lines } } : anomaly))
  return { detected, all: [...detected, ...ongoing] }
}

/** The stored anomalies that still apply. Sudden losses and rises apply while they last, the others until the next sync. */
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
  if (reviewPolicy === 'extreme') return open.some(({ kind }) => EXTREME_KINDS.has(kind))
  return reviewPolicy === 'suspicious' && open.length > 0
}

/** The anomalies that the review policy "extreme" holds. A test compares docs/operating-sources.md. */
export const EXTREME_KINDS: ReadonlySet<AnomalyKind> = new Set(['emptied', 'unreadable', 'grown', 'no-states'])

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
  const isBeyondChance = before - after >= DROP_DEVIATIONS * Math.sqrt(before)
  return after > 0 && isBeyondChance && after < before * (1 - DROP_SHARE)
}

/** The slots of the last snapshot that could still be there. */
function remainingOf({ before, endedCount = 0 }: NewSnapshot): number {
  return before.slotCount - endedCount
}

/** The first slots of a source are no rise. */
function isSharpRise(before: number, after: number): boolean {
  return before > 0 && after >= before * GROWTH_FACTOR && after - before >= GROWTH_MIN
}

const NO_LINES: LineCounts = { read: 0, rejected: 0 }

function isUnreadable({ read, rejected }: LineCounts): boolean {
  return rejected > UNREADABLE_SHARE * read
}

function isRejected({ before, slotCount, lines: { read, rejected } }: NewSnapshot): boolean {
  const { rejectedPercentMax = REJECTED_PERCENT_MAX } = before.options ?? {}
  return rejected * 100 > rejectedPercentMax * read || (rejected > 0 && slotCount === 0)
}

/** Compares the shares of rejected lines. */
function rejectsMore({ before, lines }: NewSnapshot): boolean {
  const { read, rejected } = before.watch.lastRead ?? NO_LINES
  return lines.rejected * Math.max(1, read) > rejected * lines.read
}

function isOfLines(kind: AnomalyKind): boolean {
  return kind === 'rejected' || kind === 'unreadable'
}

function percent(share: number): string {
  return `${share * 100} %`
}

/** Detected by comparing two snapshots, so these remain although the next snapshot equals the last. */
const CHANGE_KINDS: ReadonlySet<AnomalyKind> = new Set(['emptied', 'grown', 'no-states', 'dropped'])
const CLOCK_KINDS: ReadonlySet<AnomalyKind> = new Set(['clock-back', 'clock-stuck'])

/** A timestamp anomaly applies until the timestamp changes. */
function stillApplies(anomaly: Anomaly, snapshot: NewSnapshot): boolean {
  const { before, publishedAtMs, slotCount, nowMs, states } = snapshot
  if (anomaly.kind === 'no-states' && states === 'some') return false
  if (CHANGE_KINDS.has(anomaly.kind)) return isOngoing(anomaly, slotCount, nowMs)
  if (anomaly.kind === 'rejected') return isRejected(snapshot)
  if (anomaly.kind === 'unreadable') return isUnreadable(snapshot.lines)
  return CLOCK_KINDS.has(anomaly.kind) && publishedAtMs === before.publishedAtMs
}

function isOngoing({ kind, atMs, before }: Anomaly, slotCount: number, nowMs: number): boolean {
  if (kind === 'emptied') return slotCount === 0
  if (nowMs - atMs >= CHANGE_MS_MAX) return false
  if (kind === 'no-states') return slotCount > 0
  return kind === 'grown' ? isSharpRise(before, slotCount) : slotCount < before * (1 - DROP_SHARE)
}
