import type { Actor, ActorPageQuery, Publisher, PublisherPageQuery, Slot, SlotPageQuery } from './query.ts'
import type { CallOptions } from './transport.ts'

/** Options of methods that read all pages of a list. */
export interface WalkOptions extends CallOptions {
  /** Items per request: 1 to 100, for changes up to 1000. The default is the maximum. */
  readonly pageSize?: number | undefined
}

/** Options of `watch()`. */
export interface WatchOptions extends CallOptions {
  /** The revision of an export or of a change to continue from. By default only later changes are returned. */
  readonly since?: string | undefined
}

/** One page of a list. */
export interface Page<Query> {
  /** Total number of matching items. */
  readonly total: number
  /** The query for the next page; undefined on the last. */
  readonly next: Query | undefined
}

/** One page of slots. */
export interface SlotPage extends Page<SlotPageQuery> {
  readonly slots: readonly Slot[]
  /** On an empty page with `startAfter` or `startBefore`: the start of the first slot without them. RFC 3339, UTC. */
  readonly nextAvailableStart: string | undefined
}

/** One page of actors. */
export interface ActorPage extends Page<ActorPageQuery> {
  readonly actors: readonly Actor[]
}

/** One page of publishers. */
export interface PublisherPage extends Page<PublisherPageQuery> {
  readonly publishers: readonly Publisher[]
}

/** The query for the next page, from `Link`. Only the paging parameters are used, so a header cannot send the API key elsewhere. */
export function nextOf<Query extends object>(query: Query, link: string | null): Query | undefined {
  const search = /<[^>?]*\?([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (search === undefined) return undefined
  const paging = new URLSearchParams(search)
  const next: Record<string, unknown> = {}
  for (const name of ['cursor', 'since']) if (paging.has(name)) next[name] = paging.get(name)
  if (paging.has('offset')) next.offset = Number(paging.get('offset'))
  return { ...query, ...next }
}
