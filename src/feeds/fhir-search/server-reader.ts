import { createHash } from 'node:crypto'
import { DAY_MS } from '../../lib/time.ts'
import { DAYS_AHEAD } from '../../shared/source-options.ts'
import type { Publication, Rejected, SnapshotDraft, Source } from '../connector.ts'
import { Directory } from '../fhir/directory.ts'
import type { FileResponse } from '../http/publisher-client.ts'
import { httpStatusOf } from '../http/request.ts'
import { ActorSearch } from './actor-search.ts'
import { type FhirSearchState, fhirSearchReaderId } from './connector-state.ts'
import { readSearch } from './search.ts'
import type { ServerClient } from './server-client.ts'
import { readServerVersion } from './server-version.ts'
import { SlotPages } from './slot-pages.ts'
import { baseOf, hasStartFilter, INCLUDES, searchWindowOf, slotSearchUrl } from './slot-query.ts'

/** What one search of a server is made of. */
export interface ServerReaderOptions {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly client: ServerClient
  /** Of the last publication. */
  readonly memory: FhirSearchState | undefined
}

/** A server may be updated; so its version, and what it agrees to send along, are found out again once a day. */
const CHECK_EVERY_MS = DAY_MS

type ServerCapabilities = Pick<FhirSearchState, 'version' | 'includes' | 'checkedAtMs'>

/**
 * Searches a server once:
 *
 *     metadata ─► Slot?start=…&_include=… ─► page: what slots lead to into the directory, slots held back
 *     (once a day)         ▲                         │ the page is over
 *                          │                         ▼
 *                          │                 what is missing of it, by ids ─► slots into the draft
 *                          └──────────── next ◄──────┘
 */
export class ServerReader {
  readonly #reading: ServerReaderOptions

  constructor(reading: ServerReaderOptions) {
    this.#reading = reading
  }

  async read(nowMs: number): Promise<Publication> {
    const { source, memory, client } = this.#reading
    const capabilities = await this.#checkCapabilities(nowMs)
    const { base, filters } = baseOf(new URL(source.url))
    const window = searchWindowOf(nowMs, source.options.daysAhead ?? DAYS_AHEAD)
    const ask = (known: ServerCapabilities) => client.open(slotSearchUrl({ base, filters }, window, known))
    const { response, includes } = await openWithIncludes(capabilities, ask)
    const { pages, actors, digest } = this.#takers(base, hasStartFilter(filters) ? undefined : window)
    const { maxAgeMs } = response
    const published = await readSearch(client, response, pages)
    const readable = [...new Set([...(memory?.readable ?? []), ...actors.read])].sort()
    const next: FhirSearchState = {
      reader: fhirSearchReaderId(source),
      ...capabilities,
      includes,
      readable,
      digest: digest.digest('base64'),
    }
    return {
      unchanged: memory?.digest === next.digest,
      memory: next,
      ...published,
      // 0 forbids to keep the response; it does not ask for a search every minute.
      ...(maxAgeMs !== undefined && maxAgeMs > 0 && { maxAgeMs }),
    }
  }

  async #checkCapabilities(nowMs: number): Promise<ServerCapabilities> {
    const { source, memory, client } = this.#reading
    const ageMs = nowMs - (memory?.checkedAtMs ?? Number.NEGATIVE_INFINITY)
    if (memory !== undefined && ageMs >= 0 && ageMs < CHECK_EVERY_MS) {
      const { version, includes, checkedAtMs } = memory
      return { version, includes, checkedAtMs }
    }
    const version = await readServerVersion(client, baseOf(new URL(source.url)).base)
    return { version, includes: 'all', checkedAtMs: nowMs }
  }

  #takers(base: URL, window: ReturnType<typeof searchWindowOf> | undefined) {
    const { source, draft, client, memory } = this.#reading
    const directory = new Directory(source.slug, source.strict)
    const digest = createHash('sha256')
    const entries = {
      reject: (rejected: Rejected) => {
        digest.update(`${rejected.line} ${rejected.reason} `)
        draft.reject(rejected)
      },
    }
    const readable = new Set(memory?.readable)
    const actors = new ActorSearch({ client, base, directory, draft: entries, readable })
    return { actors, digest, pages: new SlotPages({ directory, draft, entries, actors, window, digest }) }
  }
}

/** Asks for less, where a server refuses to send as much along: what is missing is then asked for by ids. */
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

/** What servers response to a parameter that they do not know or do not want. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422, 501])
