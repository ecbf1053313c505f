import { defined } from '../../../lib/optional.ts'
import type { SourceReasonView } from '../../../shared/contract/source-lists.ts'
import type { SourceFilter } from '../../../shared/source-vocabulary.ts'
import type { SourceListQuery, SourceOverview } from '../../../store/contracts/sources.ts'
import { healthOf } from '../../../sync/source-health.ts'
import type { DashboardContext } from '../context.ts'
import { sourceFlags } from './source-view.ts'

/** Reasons that are listed at most. */
const REASONS_MAX = 20

/** Sources whose reasons are compared at most: the worst ones. */
const COMPARED_MAX = 10_000

const REASON_LENGTH_MAX = 300

/** The reasons for attention, the most frequent first. Costs nothing while all sources are healthy. */
export async function reasonsOf(context: DashboardContext): Promise<SourceReasonView[]> {
  const found = new Map<string, SourceReasonView>()
  for (const { flag, reason } of await worstReasons(context)) {
    const known = found.get(reason)
    found.set(reason, { flag, reason, sources: (known?.sources ?? 0) + 1 })
  }
  return [...found.values()].sort((a, b) => b.sources - a.sources).slice(0, REASONS_MAX)
}

/** The conditions of a search, for the store. */
export async function sourceConditions(
  query: { search?: string | undefined; health?: SourceFilter | undefined; reason?: string | undefined },
  context: DashboardContext,
): Promise<Pick<SourceListQuery, 'search' | 'filter' | 'slugs'>> {
  const { search, health, reason } = query
  const conditions = { ...(search && { search }), ...defined({ filter: health }) }
  if (!reason) return conditions
  const matching = (await worstReasons(context)).filter((each) => each.reason === reason)
  return { ...conditions, slugs: matching.map(({ slug }) => slug) }
}

/**
 * Why a source fails, without what differs between sources with the same cause: the count of failures, URLs, hosts and addresses.
 * A flag without a cause is its own reason.
 */
export function foldedReason(flag: SourceReasonView['flag'], { url, lastSync }: SourceOverview): string {
  if (flag !== 'failing' || lastSync?.error === undefined) return flag
  const { hostname = '' } = URL.parse(url) ?? {}
  const error = hostname === '' ? lastSync.error : lastSync.error.replace(URLS, 'the URL').replaceAll(hostname, '')
  const reason = error
    .replace(/^Cannot read the URL: /, '')
    .replace(ADDRESSES, '')
    .replace(PORTS, '')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[:;,.](?: |$))/g, '')
    .trim()
  return reason.slice(0, REASON_LENGTH_MAX).trim() || flag
}

const URLS = /https?:\/\/[^\s"'<>),;]*[^\s"'<>),;:.]/g

/** Ports of hosts that were left out. */
const PORTS = /(?<=^|\s):\d+\b/g

/** IPv4 and IPv6 addresses, with their ports. */
const ADDRESSES = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}\]?(?::\d+)?/gi

async function worstReasons({ store, now }: DashboardContext) {
  const { sources } = await store.sources.page({ filter: 'attention', order: 'health', limit: COMPARED_MAX, offset: 0 })
  const nowMs = now()
  return sources.flatMap((source) => {
    const [flag] = sourceFlags(source, healthOf(source, nowMs).health)
    return flag === undefined ? [] : [{ slug: source.slug, flag, reason: foldedReason(flag, source) }]
  })
}
