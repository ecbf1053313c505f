import { createHash } from 'node:crypto'
import { DAY_MS } from '../../lib/time.ts'
import type { Publication, Rejected, SnapshotDraft, Source } from '../connector.ts'
import { Directory } from '../fhir/directory.ts'
import { statusOf } from '../http/http-error.ts'
import type { Answer } from '../http/publisher-client.ts'
import { DAYS_AHEAD } from '../option-limits.ts'
import { ActorSearch } from './actor-search.ts'
import { type Memory, readerOf } from './connector-state.ts'
import { readSearch } from './search.ts'
import type { ServerClient } from './server-client.ts'
import { readServerVersion } from './server-version.ts'
import { SlotPages } from './slot-pages.ts'
import { baseOf, INCLUDES, saysWhen, slotSearchUrl, windowOf } from './slot-query.ts'

/** What one search of a server is made of. */
export interface ServerReading {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly client: ServerClient
  /** Of the last publication. */
  readonly memory: Memory | undefined
}

/** A server may be updated; so its version, and what it agrees to send along, are found out again once a day. */
const LEARN_EVERY_MS = DAY_MS

type Learnt = Pick<Memory, 'version' | 'includes' | 'learntAtMs'>

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
  readonly #reading: ServerReading

  constructor(reading: ServerReading) {
    this.#reading = reading
  }

  async read(nowMs: number): Promise<Publication> {
    const { source, memory, client } = this.#reading
    const learnt = await this.#learn(nowMs)
    const { base, narrowing } = baseOf(new URL(source.url))
    const window = windowOf(nowMs, source.options.daysAhead ?? DAYS_AHEAD)
    const ask = (known: Learnt) => client.open(slotSearchUrl({ base, narrowing }, window, known))
    const { answer, includes } = await openWithIncludes(learnt, ask)
    const { pages, actors, digest } = this.#takers(base, saysWhen(narrowing) ? undefined : window)
    const { maxAgeMs } = answer
    const published = await readSearch(client, answer, pages)
    const readable = [...new Set([...(memory?.readable ?? []), ...actors.read])].sort()
    const next: Memory = {
      reader: readerOf(source),
      ...learnt,
      includes,
      readable,
      digest: digest.digest('base64'),
    }
    return {
      unchanged: memory?.digest === next.digest,
      memory: next,
      ...published,
      // 0 forbids to keep the answer; it does not ask for a search every minute.
      ...(maxAgeMs !== undefined && maxAgeMs > 0 && { maxAgeMs }),
    }
  }

  async #learn(nowMs: number): Promise<Learnt> {
    const { source, memory, client } = this.#reading
    const ageMs = nowMs - (memory?.learntAtMs ?? Number.NEGATIVE_INFINITY)
    if (memory !== undefined && ageMs >= 0 && ageMs < LEARN_EVERY_MS) {
      const { version, includes, learntAtMs } = memory
      return { version, includes, learntAtMs }
    }
    const version = await readServerVersion(client, baseOf(new URL(source.url)).base)
    return { version, includes: 'all', learntAtMs: nowMs }
  }

  #takers(base: URL, window: ReturnType<typeof windowOf> | undefined) {
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
  learnt: Learnt,
  ask: (learnt: Learnt) => Promise<Answer>,
): Promise<{ answer: Answer; includes: Learnt['includes'] }> {
  for (let at = INCLUDES.indexOf(learnt.includes); ; at++) {
    const includes = INCLUDES[at]
    try {
      return { answer: await ask({ ...learnt, includes }), includes }
    } catch (failure) {
      const isRefused = REFUSALS.has(statusOf(failure) ?? 0)
      if (!isRefused || at === INCLUDES.length - 1) throw failure
    }
  }
}

/** What servers answer to a parameter that they do not know or do not want. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422, 501])
