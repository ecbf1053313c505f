import { DAY_MS } from '../../lib/time.ts'
import { UNNAMED_SERVICE } from '../../shared/service-identity.ts'
import type { SourceFreshness, SourceHealth } from '../../slot/source-freshness.ts'
import type { ApiContext } from '../api-context.ts'
import { type Incident, type PublisherHistory, type StatusHistory, TROUBLES } from './health-history.ts'

/** Publishers of one page. */
const PUBLISHERS_PER_PAGE = 100

/** The public state of the service, as `/status.json` has it. Times are RFC 3339, days are UTC. */
export interface StatusReport {
  readonly service: string
  /** `starting` while slots are loaded; else the worst of all publishers. */
  readonly status: 'starting' | SourceHealth
  readonly at: string
  /** Slots that are served, of any status. */
  readonly slots: number
  /** Publishers by status. */
  readonly counts: Readonly<Partial<Record<SourceHealth, number>>>
  readonly page: number
  readonly pages: number
  /** The worst first, then by name. */
  readonly publishers: readonly ReportedPublisher[]
  /** Of the last 90 days, newest first. Absent while the history cannot be read. */
  readonly incidents?: readonly ReportedIncident[]
}

export interface ReportedPublisher {
  readonly publisher: string
  readonly name: string
  readonly status: SourceHealth
  readonly lastSyncAt?: string
  readonly publishedAt?: string
  readonly changedAt?: string
  /** From 0 to 1: the share of the recorded time in which the feed could be read. */
  readonly availability?: number
  readonly recordedSince?: string
  /** Those with troubles, oldest first. */
  readonly days?: readonly { readonly date: string; readonly status: SourceHealth; readonly minutes: number }[]
}

export interface ReportedIncident {
  readonly publisher: string
  readonly name: string
  readonly status: SourceHealth
  readonly description: string
  readonly from: string
  /** Absent while it lasts. */
  readonly to?: string
}

/**
 * What each health means to callers. The reason of a health is not public: it may contain addresses of feeds and words of
 * publishers.
 */
export const DESCRIPTIONS: Readonly<Record<SourceHealth, string>> = {
  failing: 'The feed could not be read. Its last good slots are served.',
  suspicious: 'Unusual change in the feed: the operator reviews it.',
  late: 'The sync is overdue.',
  stale: 'The feed has not changed for unusually long.',
  paused: 'The operator paused the syncs. The last slots are served.',
  'never-synced': 'The feed has not been synced yet.',
  healthy: 'The feed is synced as planned.',
}

const ORDER: readonly SourceHealth[] = [...TROUBLES, 'never-synced', 'paused', 'healthy']

/** Undefined for a page that does not exist. */
export function statusReport(
  {
    service = UNNAMED_SERVICE,
    sources,
    index,
    isReady,
    now,
  }: Pick<ApiContext, 'service' | 'sources' | 'index' | 'isReady' | 'now'>,
  history: StatusHistory | undefined,
  page: number,
): StatusReport | undefined {
  const all = sources.all.map(publicState).sort(compare)
  const pages = Math.max(1, Math.ceil(all.length / PUBLISHERS_PER_PAGE))
  if (page > pages) return undefined
  const names = new Map(all.map(({ slug, name }) => [slug, name]))
  const histories = new Map(Object.entries(history?.publishers ?? {}))
  const shown = all.slice((page - 1) * PUBLISHERS_PER_PAGE, page * PUBLISHERS_PER_PAGE)
  const counts: Partial<Record<SourceHealth, number>> = {}
  for (const { health } of all) counts[health] = (counts[health] ?? 0) + 1
  return {
    service: service.name,
    status: isReady()
      ? (ORDER.find((health) => counts[health] !== undefined && isWatched(health)) ?? 'healthy')
      : 'starting',
    at: new Date(now()).toISOString(),
    slots: index.length,
    counts,
    page,
    pages,
    publishers: shown.map((one) => ({ ...viewOf(one), ...historyOf(histories.get(one.slug)) })),
    ...(history !== undefined && {
      incidents: history.incidents.filter(({ publisher }) => names.has(publisher)).map((one) => incidentOf(one, names)),
    }),
  }
}

type PublicState = SourceFreshness & { readonly name: string }

/** A pause counts at once. */
function publicState(source: SourceFreshness): PublicState {
  const { slug, name = slug, paused, health } = source
  return { ...source, name, health: paused ? 'paused' : health }
}

function compare(a: PublicState, b: PublicState): number {
  return ORDER.indexOf(a.health) - ORDER.indexOf(b.health) || (a.name < b.name ? -1 : 1)
}

function isWatched(health: SourceHealth): boolean {
  return health !== 'paused' && health !== 'never-synced'
}

function viewOf({ slug, name, health, lastCheckedAtMs, publishedAtMs, changedAtMs }: PublicState): ReportedPublisher {
  return {
    publisher: slug,
    name,
    status: health,
    ...timeOf('lastSyncAt', lastCheckedAtMs),
    ...timeOf('publishedAt', publishedAtMs),
    ...timeOf('changedAt', changedAtMs),
  }
}

function historyOf(known: PublisherHistory | undefined): Partial<ReportedPublisher> {
  if (known === undefined) return {}
  const { recordedSinceMs, availability, days } = known
  return {
    ...(availability !== undefined && { availability }),
    ...timeOf('recordedSince', recordedSinceMs),
    days: days.map(({ day, status, minutes }) => ({ date: dateOf(day), status, minutes })),
  }
}

function incidentOf(
  { publisher, status, fromMs, toMs }: Incident,
  names: ReadonlyMap<string, string>,
): ReportedIncident {
  return {
    publisher,
    name: names.get(publisher) ?? publisher,
    status,
    description: DESCRIPTIONS[status],
    from: new Date(fromMs).toISOString(),
    ...timeOf('to', toMs),
  }
}

/** RFC 3339 ends with the year 9999. */
function timeOf<Name extends string>(name: Name, ms: number | undefined): { [Key in Name]?: string } {
  if (ms === undefined || ms <= 0 || ms > LAST_MS) return {}
  return { [name]: new Date(ms).toISOString() } as { [Key in Name]?: string }
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
