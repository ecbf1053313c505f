import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'
import { HEALTH_EVENTS_MAX, type HealthEvent } from '../../store/contracts/source-watch.ts'
import type { SourceOverview } from '../../store/contracts/sources.ts'

/** Days of the history, today included. Days are UTC. */
export const HISTORY_DAYS = 90

/** Incidents of the history, newest first. */
export const INCIDENTS_MAX = 50

/** The healths that are an incident, the worst first. */
export const TROUBLES = ['failing', 'suspicious', 'late', 'stale'] as const satisfies SourceHealth[]
export type Trouble = (typeof TROUBLES)[number]

/** What callers may know of the past. It has no reasons: these may contain addresses and words of publishers. */
export interface StatusHistory {
  /** When it was made. */
  readonly atMs: number
  /** By slug. */
  readonly publishers: Readonly<Record<string, PublisherHistory>>
  readonly incidents: readonly Incident[]
}

export interface PublisherHistory {
  readonly recordedSinceMs: number
  /** The share of the watched time in which it was not failing; absent if it was not watched. */
  readonly availability?: number
  /** Days with troubles, oldest first. `day` counts from 1970. */
  readonly days: readonly TroubledDay[]
}

/** The worst health of a day, and the minutes of all troubles. */
export interface TroubledDay {
  readonly day: number
  readonly status: Trouble
  readonly minutes: number
}

/** A time without health, which may have begun before the history; its status is the worst of that time. */
export interface Incident {
  readonly publisher: string
  readonly status: Trouble
  readonly fromMs: number
  /** Absent while it lasts. */
  readonly toMs?: number
}

/** A health and when it began and ended. */
interface Span {
  readonly health: SourceHealth
  readonly fromMs: number
  readonly toMs: number
}

/** Incidents of a publisher with a shorter pause between them are one. */
const PAUSE_MS_MIN = 15 * MINUTE_MS

/**
 * The health events of all sources, read once and continued, without their reasons. As many are held as the store has:
 * `HEALTH_EVENTS_MAX` of a source, so that a source that flaps may have a record of fewer days.
 */
export class HealthHistory {
  readonly #bySlug = new Map<string, Pick<HealthEvent, 'from' | 'to' | 'atMs'>[]>()
  /** The last event that was added. */
  lastId = 0

  /** Events in order of their IDs. */
  add(events: readonly HealthEvent[]): void {
    for (const { id, slug, from, to, atMs } of events) {
      this.lastId = id
      const known = this.#bySlug.get(slug) ?? []
      known.push({ from, to, atMs })
      this.#bySlug.set(slug, known.slice(-HEALTH_EVENTS_MAX))
    }
  }

  /** The history of the sources that exist. Others are forgotten. */
  report(sources: readonly HistoricSource[], nowMs: number): StatusHistory {
    const sinceMs = (utcDayOf(nowMs) - HISTORY_DAYS + 1) * DAY_MS
    const slugs = new Set(sources.map(({ slug }) => slug))
    for (const slug of this.#bySlug.keys()) if (!slugs.has(slug)) this.#bySlug.delete(slug)
    const publishers: Record<string, PublisherHistory> = {}
    const incidents: Incident[] = []
    for (const source of sources) {
      const spans = this.#spansOf(source, nowMs)
      const recent = spans
        .filter(({ toMs }) => toMs > sinceMs)
        .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, sinceMs) }))
      publishers[source.slug] = historyOf(recent, nowMs)
      incidents.push(...incidentsOf(source.slug, spans, nowMs).filter(({ toMs = nowMs }) => toMs > sinceMs))
    }
    incidents.sort((a, b) => b.fromMs - a.fromMs)
    return { atMs: nowMs, publishers, incidents: incidents.slice(0, INCIDENTS_MAX) }
  }

  #spansOf({ slug, createdAtMs, watch }: HistoricSource, nowMs: number): Span[] {
    // A removed source may have had the same slug.
    const events = (this.#bySlug.get(slug) ?? []).filter(({ atMs }) => atMs >= createdAtMs)
    const isWhole = events.length < HEALTH_EVENTS_MAX
    const first = { to: events[0]?.from ?? watch.health, atMs: createdAtMs }
    const changes = isWhole ? [first, ...events] : events
    return changes
      .map(({ to, atMs }, at) => ({
        health: to,
        fromMs: atMs,
        toMs: Math.min(changes[at + 1]?.atMs ?? nowMs, nowMs),
      }))
      .filter(({ fromMs, toMs }) => fromMs < toMs)
  }
}

export type HistoricSource = Pick<SourceOverview, 'slug' | 'createdAtMs'> & {
  readonly watch: Pick<SourceOverview['watch'], 'health'>
}

/** The day of a time, counted from 1970. */
export function utcDayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

function isTrouble(health: SourceHealth): health is Trouble {
  return (TROUBLES as readonly SourceHealth[]).includes(health)
}

function worse(a: Trouble, b: Trouble): Trouble {
  return TROUBLES.indexOf(a) < TROUBLES.indexOf(b) ? a : b
}

function historyOf(spans: readonly Span[], nowMs: number): PublisherHistory {
  const days = new Map<number, { status: Trouble; ms: number }>()
  let [watchedMs, failingMs] = [0, 0]
  for (const { health, fromMs, toMs } of spans) {
    if (health !== 'paused' && health !== 'never-synced') watchedMs += toMs - fromMs
    if (health === 'failing') failingMs += toMs - fromMs
    if (!isTrouble(health)) continue
    for (let day = utcDayOf(fromMs); day * DAY_MS < toMs; day++) {
      const ms = Math.min(toMs, (day + 1) * DAY_MS) - Math.max(fromMs, day * DAY_MS)
      const known = days.get(day) ?? { status: health, ms: 0 }
      days.set(day, { status: worse(known.status, health), ms: known.ms + ms })
    }
  }
  return {
    recordedSinceMs: spans[0]?.fromMs ?? nowMs,
    // Rounded down: only what never failed has 1.
    ...(watchedMs > 0 && { availability: Math.floor((1 - failingMs / watchedMs) * 10_000) / 10_000 }),
    days: [...days].map(([day, { status, ms }]) => ({ day, status, minutes: Math.ceil(ms / MINUTE_MS) })),
  }
}

function incidentsOf(publisher: string, spans: readonly Span[], nowMs: number): Incident[] {
  const incidents: { status: Trouble; fromMs: number; toMs: number }[] = []
  for (const { health, fromMs, toMs } of spans) {
    if (!isTrouble(health)) continue
    const last = incidents.at(-1)
    if (last === undefined || fromMs - last.toMs >= PAUSE_MS_MIN) incidents.push({ status: health, fromMs, toMs })
    else Object.assign(last, { status: worse(last.status, health), toMs })
  }
  return incidents.map(({ status, fromMs, toMs }) => ({
    publisher,
    status,
    fromMs,
    ...(toMs < nowMs && { toMs }),
  }))
}
