import { createHash } from 'node:crypto'
import { defined } from '../../lib/optional.ts'
import { DAY_MS } from '../../lib/time.ts'
import { DAYS_AHEAD } from '../../shared/source-fields.ts'
import { daysOf } from '../../slot/planning-horizon.ts'
import type { Connector, Publication, Rejected, SnapshotDraft, Source } from '../connector.ts'
import { Directory } from '../fhir/directory.ts'
import { AccessToken, type CachedToken } from '../http/access-token.ts'
import type { FileResponse } from '../http/publisher-client.ts'
import { type PublisherOptions, publisherConnector } from '../http/publisher-connector.ts'
import { httpStatusOf } from '../http/request.ts'
import type { Wait } from '../http/throttled-client.ts'
import { SourceMessages } from '../source-messages.ts'
import { ActorSearch } from './actor-search.ts'
import { findSchedules } from './schedule-search.ts'
import { readSearch, type SearchResult } from './search.ts'
import { type FhirSearchState, fhirSearchReaderId, parseFhirSearchState } from './search-state.ts'
import { REFUSALS, ServerClient } from './server-client.ts'
import { INCLUDES, profileOf, type ServerProfile } from './server-profile.ts'
import { readStatement } from './server-statement.ts'
import { SlotPages } from './slot-pages.ts'
import { baseOf, hasTimeFilter, type SearchWindow, searchRanges, searchWindowOf, slotSearchUrl } from './slot-query.ts'

interface FhirSearchOptions extends PublisherOptions {
  /** Replaces the timer that waits for `Retry-After`. */
  readonly wait?: Wait
}

/**
 * Reads the Slots of a FHIR server (R4, R4B, leniently STU3) by search, with their Schedules and the actors of these.
 * Caches access tokens between syncs.
 */
export function fhirSearch(options: FhirSearchOptions): Connector {
  const { now = Date.now } = options
  const tokens = new Map<string, CachedToken>()
  return publisherConnector(options, {
    read({ source, draft, client: web, signal, nowMs }) {
      const client = new ServerClient(web, signal, options.wait)
      const lastState = parseFhirSearchState(draft.state, source)
      return new ServerReader({ source, draft, client, lastState }).read(nowMs)
    },
    tokenOf({ slug, url, options: given }, secrets) {
      const { authorization } = given
      if (authorization === undefined) return undefined
      const name = `${slug} ${url} ${JSON.stringify(given)}`
      // After an edit, the token of the old options is obsolete.
      for (const other of tokens.keys()) if (other !== name && other.startsWith(`${slug} `)) tokens.delete(other)
      return new AccessToken({ authorization, secrets, cache: tokens, name, now })
    },
  })
}

interface ServerReaderOptions {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly client: ServerClient
  /** State of the last publication. */
  readonly lastState: FhirSearchState | undefined
}

/** Servers are updated: version, server and includes are checked once a day. */
const CHECK_EVERY_MS = DAY_MS

const CHANGED = {
  severity: 'warning',
  text: 'Slots changed while they were read, also at the last sync: until the next sync, some may be missing, or at their former time too.',
} as const

type ServerCapabilities = Pick<FhirSearchState, 'version' | 'server' | 'includes' | 'checkedAtMs'>

/**
 * Searches a server once:
 *
 *     metadata ─► Slot?start=…&_include=… ─► page: other resources into the directory, slots buffered
 *     (once a day)         ▲                         │ end of page
 *                          │                         ▼
 *                          │                 missing resources by ids ─► slots into the draft
 *                          └──────────── next ◄──────┘
 *
 * By the server's profile, there is a search for each range of time, or for each Schedule.
 */
class ServerReader {
  readonly #reading: ServerReaderOptions

  constructor(reading: ServerReaderOptions) {
    this.#reading = reading
  }

  async read(nowMs: number): Promise<Publication> {
    const { source, lastState } = this.#reading
    const capabilities = await this.#checkCapabilities(nowMs)
    const profile = this.#profileOf(capabilities)
    const { filters } = baseOf(new URL(source.url))
    const window = searchWindowOf(nowMs, source.options.daysAhead ?? DAYS_AHEAD)
    const handlers = handlersOf(this.#reading, hasTimeFilter(filters, profile) ? undefined : window, profile)
    const { includes, isMixed, ...published } = await this.#readSearches(handlers, profile, capabilities)
    const { actors, digest, messages, entries } = handlers
    const bySchedule = entries.directory.horizons
    for (const [id, horizon] of bySchedule) digest.update(`${id} ${daysOf(horizon)} `)
    const readable = [...new Set([...(lastState?.readable ?? []), ...actors.read])].sort()
    const capable = { reader: fhirSearchReaderId(source), ...capabilities, includes, readable }
    const next: FhirSearchState = { ...capable, digest: digest.digest('base64'), ...(isMixed && { isMixed }) }
    const unchanged = lastState?.digest === next.digest
    const horizons = { isWhole: true, bySchedule }
    // A busy server would be read again at each sync.
    const isBusy = isMixed && lastState?.isMixed === true
    if (isBusy) messages.add(CHANGED)
    const mayReadAgain = isMixed && !isBusy && !unchanged
    return { unchanged, state: next, ...published, isMixed: mayReadAgain, messages: messages.all, horizons }
  }

  /** The operator's choice, else that of the server's statement. */
  #profileOf({ server }: Pick<ServerCapabilities, 'server'>): ServerProfile {
    return profileOf(this.#reading.source.options.server ?? server)
  }

  async #checkCapabilities(nowMs: number): Promise<ServerCapabilities> {
    const { source, lastState, client } = this.#reading
    const ageMs = nowMs - (lastState?.checkedAtMs ?? Number.NEGATIVE_INFINITY)
    if (lastState !== undefined && ageMs >= 0 && ageMs < CHECK_EVERY_MS) {
      const { version, server, includes, checkedAtMs } = lastState
      return { version, ...defined({ server }), includes, checkedAtMs }
    }
    const { version } = this.#profileOf({})
    const statement =
      version === undefined ? await readStatement(client, baseOf(new URL(source.url)).base) : { version }
    return { ...statement, includes: this.#profileOf(statement).includes, checkedAtMs: nowMs }
  }

  async #readSearches(
    { pages, ranges, entries }: ReturnType<typeof handlersOf>,
    profile: ServerProfile,
    capabilities: ServerCapabilities,
  ): Promise<SearchResult & Pick<Publication, 'maxAgeMs'> & Pick<ServerCapabilities, 'includes'>> {
    const { client, source } = this.#reading
    const { base, filters: all } = baseOf(new URL(source.url))
    const found = profile.bySchedule
      ? await findSchedules({ client, base, filters: all, entries })
      : { schedules: [undefined], filters: all, isMixed: false }
    const { schedules, filters } = found
    let isMixed = found.isMixed
    let { includes } = capabilities
    let first: Pick<Publication, 'publishedAtMs' | 'maxAgeMs'> | undefined
    for (const [at, range] of ranges.entries()) {
      pages.startRange(at)
      for (const schedule of schedules) {
        const search = { base, filters, range, schedule }
        const ask = (known: ServerCapabilities) => client.open(slotSearchUrl(search, profile, known))
        const opened = await openWithIncludes({ ...capabilities, includes }, ask)
        includes = opened.includes
        const { maxAgeMs = 0 } = opened.response
        const { isMixed: isSearchMixed, ...published } = await readSearch(client, opened.response, pages)
        isMixed ||= isSearchMixed
        // max-age=0 forbids caching; it does not ask for a sync every minute.
        first ??= { ...published, ...(maxAgeMs > 0 && { maxAgeMs }) }
      }
    }
    return { ...first, includes, isMixed: isMixed || pages.isMixed }
  }
}

/** The handlers of the entries of the searches. */
function handlersOf(
  { source, draft, client, lastState }: ServerReaderOptions,
  window: SearchWindow | undefined,
  profile: ServerProfile,
) {
  const { base } = baseOf(new URL(source.url))
  const directory = new Directory(source.slug, source.strict)
  const digest = createHash('sha256')
  const reject = (rejected: Rejected) => {
    digest.update(`${rejected.line} ${rejected.reason} `)
    draft.reject(rejected)
  }
  const readable = new Set(lastState?.readable)
  const messages = new SourceMessages()
  const entries = { directory, draft: { reject }, messages }
  const actors = new ActorSearch({ client, base, ...entries, readable })
  const ranges = window === undefined ? [undefined] : searchRanges(window, profile)
  const pages = new SlotPages({ ...entries, draft, entries: { reject }, actors, window, ranges, digest })
  return { actors, digest, messages, entries, ranges, pages }
}

/** Falls back to fewer includes if the server rejects them; missing resources are then requested by ids. */
async function openWithIncludes(
  capabilities: ServerCapabilities,
  ask: (capabilities: ServerCapabilities) => Promise<FileResponse>,
): Promise<{ response: FileResponse; includes: ServerCapabilities['includes'] }> {
  for (let at = INCLUDES.indexOf(capabilities.includes); ; at++) {
    const includes = INCLUDES[at]
    try {
      return { response: await ask({ ...capabilities, includes }), includes }
    } catch (error) {
      const isRefused = REFUSALS.has(httpStatusOf(error) ?? 0)
      if (!isRefused || at === INCLUDES.length - 1) throw error
    }
  }
}
