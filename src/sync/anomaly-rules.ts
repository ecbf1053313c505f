import { DAY_MS } from '../lib/time.ts'
import type { AnomalyKind } from '../shared/source-vocabulary.ts'
import type { Anomaly, HeldSnapshot, SourceWatch } from '../store/contracts/source-watch.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'

/** From so many slots on, a source has many: fewer may all be taken on one good day. */
export const MANY = 10

/** A drop is sharp from so many slots on, if it takes more than half of them. */
export const DROP_MIN = 100
const DROP_SHARE = 0.5

/** A publisher that looks at its own data less often than this has lost sight of it. */
const CLOCK_MS_MAX = DAY_MS

/** For how long a drop is worth a look, if the slots do not come back. */
const DROP_MS_MAX = DAY_MS

/** What a snapshot is, beside the one before it. */
export interface Arrival {
  readonly before: Pick<SourceOverview, 'slotCount' | 'publishedAtMs' | 'watch'>
  readonly slotCount: number
  /** A slot was added, changed or removed. */
  readonly isChanged: boolean
  readonly publishedAtMs: number | undefined
  readonly lastEndMs: number | undefined
  readonly nowMs: number
}

/** A rule by which a snapshot is suspicious. */
export interface SuspicionRule {
  readonly kind: AnomalyKind
  /** When it is, in words: the row of docs/operations.md. */
  readonly means: string
  /** What can be said of it, in words. */
  readonly says: (finding: Anomaly) => string
  readonly isMet: (arrival: Arrival) => boolean
}

/** Every rule, gravest first; docs/operations.md has a row for each: a test holds it. */
export const SUSPICION_RULES: readonly SuspicionRule[] = [
  {
    kind: 'emptied',
    means: `It had ${MANY} slots or more and has none.`,
    says: ({ before }) => `It had ${before} slots and publishes none.`,
    isMet: ({ before, slotCount }) => isEmptied(before.slotCount, slotCount),
  },
  {
    kind: 'dropped',
    means: `It lost more than half of its slots, and at least ${DROP_MIN}, in one sync. Lasts for a day, or until half of them are back.`,
    says: ({ before, after }) => `It had ${before} slots and publishes ${after}.`,
    isMet: ({ before, slotCount }) => isSharpDrop(before.slotCount, slotCount),
  },
  {
    kind: 'ended',
    means: `It has ${MANY} slots or more, and all of them have ended.`,
    says: ({ after }) => `All of its ${after} slots have ended.`,
    isMet: ({ slotCount, lastEndMs, nowMs }) =>
      slotCount >= MANY && lastEndMs !== undefined && lastEndMs <= nowMs,
  },
  {
    kind: 'clock-back',
    means: "The publisher's timestamp is earlier than before.",
    says: () => 'It says that it is from an earlier time than before.',
    isMet: ({ before, publishedAtMs }) =>
      publishedAtMs !== undefined &&
      before.publishedAtMs !== undefined &&
      publishedAtMs < before.publishedAtMs,
  },
  {
    kind: 'clock-stuck',
    means: "The slots have changed, but the publisher's timestamp has not.",
    says: () => 'It changes, but the time it says it is from does not.',
    isMet: ({ before, publishedAtMs, isChanged }) =>
      isChanged && publishedAtMs !== undefined && publishedAtMs === before.publishedAtMs,
  },
  {
    kind: 'clock-old',
    means: "The publisher's timestamp is more than a day old.",
    says: () => 'The time it says it is from is more than a day before we looked.',
    isMet: ({ publishedAtMs, nowMs }) => publishedAtMs !== undefined && nowMs - publishedAtMs > CLOCK_MS_MAX,
  },
]

/** What is suspicious about a snapshot that came, by comparing it with the one before; and with that, what still is of before. */
export function findingsOf(arrival: Arrival): { fresh: Anomaly[]; all: Anomaly[] } {
  const { before, slotCount, nowMs } = arrival
  const fresh = SUSPICION_RULES.filter((rule) => rule.isMet(arrival)).map(({ kind }) => ({
    kind,
    atMs: nowMs,
    before: before.slotCount,
    after: slotCount,
  }))
  const isNew = (finding: Anomaly) => fresh.some(({ kind }) => kind === finding.kind)
  const standing = before.watch.anomalies.filter((finding) => !isNew(finding) && stillIs(finding, arrival))
  return { fresh, all: [...fresh, ...standing] }
}

/** Those of the findings that are still so: what was sudden, as long as the slots are away; the rest is what it was found to be. */
export function standingFindings({ watch, slotCount }: SourceOverview, nowMs: number): Anomaly[] {
  return watch.anomalies.filter((finding) => !SUDDEN.has(finding.kind) || stands(finding, slotCount, nowMs))
}

/** One sentence on each. */
export function wordsOf(findings: readonly Anomaly[]): string {
  return SUSPICION_RULES.flatMap(({ kind, says }) =>
    findings.filter((finding) => finding.kind === kind).map((finding) => says(finding)),
  ).join(' ')
}

/** Whether a snapshot with these fresh findings waits for the operator's yes; what was said yes to does not count. */
export function isHeldBack(
  { reviewPolicy: hold, approved: accepted }: SourceWatch,
  fresh: readonly Anomaly[],
): boolean {
  const open = fresh.filter(({ kind }) => !accepted.includes(kind))
  if (hold === 'emptied') return open.some(({ kind }) => kind === 'emptied')
  return hold === 'suspicious' && open.length > 0
}

/** Whether a snapshot that came is, to whoever looked at the one that is held, the same: suspicious in no other way, and with no sharp drop beside it. */
export function isLikeHeld(
  held: HeldSnapshot,
  { fresh, slotCount }: { fresh: readonly Anomaly[]; slotCount: number },
): boolean {
  const isKnown = ({ kind }: Anomaly) => held.anomalies.some((finding) => finding.kind === kind)
  return fresh.every(isKnown) && !isSharpDrop(held.after, slotCount) && !isEmptied(held.after, slotCount)
}

function isEmptied(before: number, after: number): boolean {
  return before >= MANY && after === 0
}

function isSharpDrop(before: number, after: number): boolean {
  return after > 0 && before - after >= DROP_MIN && after < before * (1 - DROP_SHARE)
}

/** Found by comparing two snapshots: it goes on although the next one is like the last. */
const SUDDEN: ReadonlySet<AnomalyKind> = new Set(['emptied', 'dropped'])
const OF_CLOCK: ReadonlySet<AnomalyKind> = new Set(['clock-back', 'clock-stuck'])

/** A clock is wrong until it moves on. */
function stillIs(finding: Anomaly, { before, publishedAtMs, slotCount, nowMs }: Arrival): boolean {
  if (SUDDEN.has(finding.kind)) return stands(finding, slotCount, nowMs)
  return OF_CLOCK.has(finding.kind) && publishedAtMs === before.publishedAtMs
}

function stands({ kind, atMs, before }: Anomaly, slotCount: number, nowMs: number): boolean {
  if (kind === 'emptied') return slotCount === 0
  return slotCount < before * (1 - DROP_SHARE) && nowMs - atMs < DROP_MS_MAX
}
