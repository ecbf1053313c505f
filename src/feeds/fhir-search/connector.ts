import { createHash } from 'node:crypto'
import { asObject } from '../../lib/json.ts'
import { DAY_MS } from '../../lib/time.ts'
import { DAYS_AHEAD } from '../../shared/source-fields.ts'
import type { Connector, Publication, Rejected, SnapshotDraft, Source } from '../connector.ts'
import { Directory } from '../fhir/directory.ts'
import { AccessToken, type CachedToken } from '../http/access-token.ts'
import type { FileResponse } from '../http/publisher-client.ts'
import { type PublisherOptions, publisherConnector } from '../http/publisher-connector.ts'
import { httpStatusOf } from '../http/request.ts'
import { ActorSearch } from './actor-search.ts'
import { readSearch } from './search.ts'
import { ServerClient, type Wait } from './server-client.ts'
import { SlotPages } from './slot-pages.ts'
import {
  baseOf,
  hasStartFilter,
  INCLUDES,
  type Includes,
  readServerVersion,
  type ServerVersion,
  searchWindowOf,
  slotSearchUrl,
} from './slot-query.ts'

export interface FhirSearchOptions extends PublisherOptions {
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
    tokenOf({ slug, url, options: asked }, secrets) {
      const { authorization } = asked
      if (authorization === undefined) return undefined
      const name = `${slug} ${url} ${JSON.stringify(asked)}`
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

/** Servers are updated: version and supported includes are checked once a day. */
const CHECK_EVERY_MS = DAY_MS

type ServerCapabilities = Pick<FhirSearchState, 'version' | 'includes' | 'checkedAtMs'>

/**
 * Searches a server once:
 *
 *     metadata ─► Slot?start=…&_include=… ─► page: other resources into the directory, slots buffered
 *     (once a day)         ▲                         │ end of page
 *                          │                         ▼
 *                          │                 missing resources by ids ─► slots into the draft
 *                          └──────────── next ◄──────┘
 */
class ServerReader {
  readonly #reading: ServerReaderOptions

  constructor(reading: ServerReaderOptions) {
    this.#reading = reading
  }

  async read(nowMs: number): Promise<Publication> {
    const { source, lastState, client } = this.#reading
    const capabilities = await this.#checkCapabilities(nowMs)
    const { base, filters } = baseOf(new URL(source.url))
    const window = searchWindowOf(nowMs, source.options.daysAhead ?? DAYS_AHEAD)
    const ask = (known: ServerCapabilities) => client.open(slotSearchUrl({ base, filters }, window, known))
    const { response, includes } = await openWithIncludes(capabilities, ask)
    const { pages, actors, digest } = this.#handlers(base, hasStartFilter(filters) ? undefined : window)
    const { maxAgeMs } = response
    const published = await readSearch(client, response, pages)
    const readable = [...new Set([...(lastState?.readable ?? []), ...actors.read])].sort()
    const next: FhirSearchState = {
      reader: fhirSearchReaderId(source),
      ...capabilities,
      includes,
      readable,
      digest: digest.digest('base64'),
    }
    return {
      unchanged: lastState?.digest === next.digest,
      state: next,
      ...published,
      // max-age=0 forbids caching; it does not ask for a sync every minute.
      ...(maxAgeMs !== undefined && maxAgeMs > 0 && { maxAgeMs }),
    }
  }

  async #checkCapabilities(nowMs: number): Promise<ServerCapabilities> {
    const { source, lastState, client } = this.#reading
    const ageMs = nowMs - (lastState?.checkedAtMs ?? Number.NEGATIVE_INFINITY)
    if (lastState !== undefined && ageMs >= 0 && ageMs < CHECK_EVERY_MS) {
      const { version, includes, checkedAtMs } = lastState
      return { version, includes, checkedAtMs }
    }
    const version = await readServerVersion(client, baseOf(new URL(source.url)).base)
    return { version, includes: 'all', checkedAtMs: nowMs }
  }

  #handlers(base: URL, window: ReturnType<typeof searchWindowOf> | undefined) {
    const { source, draft, client, lastState } = this.#reading
    const directory = new Directory(source.slug, source.strict)
    const digest = createHash('sha256')
    const entries = {
      reject: (rejected: Rejected) => {
        digest.update(`${rejected.line} ${rejected.reason} `)
        draft.reject(rejected)
      },
    }
    const readable = new Set(lastState?.readable)
    const actors = new ActorSearch({ client, base, directory, draft: entries, readable })
    return { actors, digest, pages: new SlotPages({ directory, draft, entries, actors, window, digest }) }
  }
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

/** Status codes for unknown or unsupported parameters. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422, 501])

/** Connector state of a server, stored as JSON with the snapshot. */
interface FhirSearchState {
  /** See `fhirSearchReaderId`. */
  readonly reader: string
  readonly version: ServerVersion
  /** The includes that the server accepted. */
  readonly includes: Includes
  /** When version and includes were determined, in milliseconds since 1970. */
  readonly checkedAtMs: number
  /** Types that could be read by id. */
  readonly readable: readonly string[]
  /** Hash of all slots with their referenced resources, and of all rejections. */
  readonly digest: string
}

/** Raise it when the reader interprets the same bytes differently. */
const READER_VERSION = 1

/** State is only valid for the same source, URL, strictness, request options and reader version. */
function fhirSearchReaderId({ slug, url, strict, options }: Source): string {
  return `fhir-search ${READER_VERSION} ${slug} ${strict ? 'strict' : 'lenient'} ${url} ${JSON.stringify(options)}`
}

/** The state stored with the last snapshot; undefined if this reader did not write it. */
function parseFhirSearchState(state: unknown, source: Source): FhirSearchState | undefined {
  return asObject(state)?.reader === fhirSearchReaderId(source) ? (state as FhirSearchState) : undefined
}
