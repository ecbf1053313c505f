import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import type { SourceHealth } from '../slot/source-freshness.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'
import { SUSPICION_RULES, standingFindings, wordsOf } from './anomaly-rules.ts'

/** A poll may be so late before anybody is told: a busy node catches up in less. */
export const LATE_AFTER_MS = 2 * MINUTE_MS

/** So many failures in a row are no accident: with the pauses between them, some three minutes. */
export const FAILURES_MAX = 3

/** No source is stale before. */
const STALE_AFTER_MS_MIN = HOUR_MS
/** How long a source may be quiet whose usual pause is not known. */
const UNUSUAL_MS = DAY_MS
/** How much longer than its usual pause a source may be quiet. */
const STALE_FACTOR = 1.5

/** What a source is judged by. */
export type JudgedSource = SourceOverview

/** What was found, and why: one sentence or more; empty for `healthy`. */
export interface Judgement {
  readonly health: SourceHealth
  readonly why: string
}

/** A rule by which a source does so or so. */
export interface HealthRule {
  readonly health: SourceHealth
  /** When it does, in words: the row of docs/operations.md. */
  readonly means: string
  /** Why it does; undefined if it does not. */
  readonly whyOf: (source: JudgedSource, nowMs: number) => string | undefined
}

/** Every rule, in the order in which they are asked: the first that is met counts. docs/operations.md has a row for each: a test holds it. */
export const HEALTH_RULES: readonly HealthRule[] = [
  {
    health: 'paused',
    means: 'An operator paused it. No other rule applies.',
    whyOf: ({ paused }) => (paused ? 'It is paused.' : undefined),
  },
  {
    health: 'failing',
    means: `The last ${FAILURES_MAX} syncs failed, or every sync so far.`,
    whyOf: whyFailing,
  },
  {
    health: 'suspicious',
    means: 'A snapshot is held, or the current snapshot is suspicious and not approved.',
    whyOf: whySuspicious,
  },
  {
    health: 'late',
    means: `Its sync is overdue by ${LATE_AFTER_MS / MINUTE_MS} minutes and is not running.`,
    whyOf: whyLate,
  },
  {
    health: 'never-synced',
    means: 'No sync has finished yet.',
    whyOf: ({ lastSync }) => (lastSync === undefined ? 'It was never synced.' : undefined),
  },
  {
    health: 'stale',
    means: `It has not changed for ${STALE_FACTOR} times its usual pause, and at least an hour; for a day while its usual pause is unknown.`,
    whyOf: whyStale,
  },
  { health: 'healthy', means: 'None of these.', whyOf: () => '' },
]

/** How a source does at a time. Pure, and cheap enough for thousands of them a second. */
export function healthOf(source: JudgedSource, nowMs: number): Judgement {
  for (const { health, whyOf } of HEALTH_RULES) {
    const why = whyOf(source, nowMs)
    if (why !== undefined) return { health, why }
  }
  throw new Error('Cannot judge a source: the last rule must be met by all: got "no rule"')
}

/**
 * The longest time that a source usually stays as it is: the second longest of the daily longest pauses of the last
 * fourteen days, so that nights and weekends are usual, and one outage is not. Undefined while fewer than two days are known.
 */
export function usualPauseMs({ watch }: Pick<JudgedSource, 'watch'>, nowMs: number): number | undefined {
  const since = Math.floor(nowMs / DAY_MS) - 14
  const pauses = watch.changeGaps.filter(({ day }) => day >= since).map(({ longestMs }) => longestMs)
  return pauses.toSorted((a, b) => b - a)[1]
}

function whyFailing({ failures, lastSync, lastCheckedAtMs }: JudgedSource): string | undefined {
  const isFailing = failures >= FAILURES_MAX || (failures > 0 && lastCheckedAtMs === undefined)
  if (!isFailing) return undefined
  const often = failures > 1 ? `The last ${failures} syncs failed` : 'The last sync failed'
  return lastSync?.error === undefined ? `${often}.` : `${often}: ${lastSync.error}`
}

function whySuspicious(source: JudgedSource, nowMs: number): string | undefined {
  const { watch, slotCount, lastCheckedAtMs } = source
  if (watch.held !== undefined)
    return `${wordsOf(watch.held.anomalies)} It is held until an operator says yes.`
  const sinceRead = lastCheckedAtMs === undefined ? [] : ofTime(source, nowMs)
  const standing = standingFindings(source, nowMs).filter(({ kind }) => kind !== 'ended')
  const all = [
    ...standing,
    ...sinceRead.map((kind) => ({ kind, atMs: nowMs, before: slotCount, after: slotCount })),
  ]
  const open = all.filter(({ kind }) => !watch.approved.includes(kind))
  return open.length === 0 ? undefined : wordsOf(open)
}

/** Slots end without anybody reading them. */
function ofTime({ slotCount, publishedAtMs, watch }: JudgedSource, nowMs: number) {
  const arrival = {
    before: { slotCount, watch },
    slotCount,
    isChanged: false,
    publishedAtMs,
    lastEndMs: watch.lastEndMs,
    nowMs,
  }
  return SUSPICION_RULES.filter((rule) => rule.kind === 'ended' && rule.isMet(arrival)).map(
    ({ kind }) => kind,
  )
}

function whyLate(source: JudgedSource, nowMs: number): string | undefined {
  const { format, nextSyncAtMs, createdAtMs, watch } = source
  const isRead = (watch.readUntilMs ?? 0) > nowMs
  const lateMs = nowMs - Math.max(nextSyncAtMs, createdAtMs)
  if (format === 'files' || isRead || lateMs <= LATE_AFTER_MS) return undefined
  return `It should have been looked at ${Math.floor(lateMs / MINUTE_MS)} minutes ago.`
}

function whyStale(source: JudgedSource, nowMs: number): string | undefined {
  const { changedAtMs } = source
  if (changedAtMs === undefined) return undefined
  const usualMs = usualPauseMs(source, nowMs)
  const quietMs = nowMs - changedAtMs
  const allowedMs = usualMs === undefined ? UNUSUAL_MS : Math.max(STALE_AFTER_MS_MIN, STALE_FACTOR * usualMs)
  if (quietMs <= allowedMs) return undefined
  const usual = usualMs === undefined ? '' : `, and ${inWords(usualMs)} at most is usual`
  return `It has not changed for ${inWords(quietMs)}${usual}.`
}

function inWords(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`
  return ms >= 2 * HOUR_MS
    ? `${Math.round(ms / HOUR_MS)} hours`
    : `${Math.max(1, Math.round(ms / MINUTE_MS))} minutes`
}
