import { Semaphore } from '../../../lib/concurrency.ts'
import { parseChangesQuery } from '../../../slot/changes-query.ts'
import { formatRevision } from '../../../slot/revision.ts'
import { shortHash } from '../../../slot/short-hash.ts'
import type { ChangeLog } from '../../../store/contracts/change-log.ts'
import { StoreUnavailable } from '../../../store/contracts/store.ts'
import { internalError, Problem, problemOf } from '../../problem.ts'
import {
  jsonResponse,
  problemResponse,
  type SerializedRequest,
  type SerializedResponse,
} from '../../serialized-http.ts'
import { nextLink } from '../page-links.ts'
import { type ChangesPage, readChanges } from './read-changes.ts'
import { CHANGES_PATH } from './relay-changes.ts'

/** What changes are told from. */
export interface ChangesParts {
  readonly log: ChangeLog
  /** Where callers reach the service, without a slash at its end. */
  readonly baseUrl: string
  readonly now: () => number
  /** Told of faults of ours, which are answered 500. */
  readonly onFault: (fault: unknown, request: { id: string; method: string; url: string }) => void
}

/**
 * Each holds a connection to the store for as long as it takes to read a page; whoever signs in needs one as well, of the few
 * that a thread has.
 */
const READING_MAX = 2

/**
 * GET /v1/scheduling/changes: what was added, changed and removed after a revision, a page at a time.
 *
 * Reads the store, so it is answered by a thread that may wait for it. It asks for no key: whoever hands it a request has.
 */
export class ChangesOperation {
  readonly #parts: ChangesParts
  readonly #reading = new Semaphore(READING_MAX)

  constructor(parts: ChangesParts) {
    this.#parts = parts
  }

  /** Never rejects: what goes wrong is answered. */
  async answer(request: SerializedRequest): Promise<SerializedResponse> {
    try {
      return await this.#answer(searchOf(request.target))
    } catch (thrown) {
      return problemResponse(this.#problemOf(thrown, request))
    }
  }

  async #answer(search: string): Promise<SerializedResponse> {
    const query = parseChangesQuery(search)
    const page = await this.#reading.run(async () => {
      const log = await this.#parts.log.open()
      try {
        return await readChanges(log, query, this.#parts.now())
      } finally {
        await log.close()
      }
    })
    const revision = formatRevision(page.revision)
    const body = `{"changes":[${page.changes.join()}],"revision":"${revision}"}`
    const headers = [...this.#links(page, search, revision), ['etag', `"${shortHash(body)}"`], KEPT] as const
    return jsonResponse(body, { headers })
  }

  #links({ hasMore }: ChangesPage, search: string, revision: string): [string, string][] {
    if (!hasMore) return []
    const base = this.#parts.baseUrl + CHANGES_PATH
    return [['link', nextLink(base, search, { parameter: 'since', value: revision })]]
  }

  #problemOf(thrown: unknown, { requestId, method, target }: SerializedRequest): Problem {
    if (thrown instanceof StoreUnavailable) return changesAway()
    const known = problemOf(thrown)
    if (known !== undefined) return known
    this.#parts.onFault(thrown, { id: requestId, method, url: target })
    return internalError(requestId)
  }
}

/** Tells that the store is away, or not open yet. */
export function changesAway(): Problem {
  const message = 'The log of changes cannot be read just now. Please try again in a few seconds.'
  return new Problem('not-ready', message, { headers: { 'retry-after': '5' } })
}

/** The answer may be kept by its caller, who is to ask each time whether it still holds. */
const KEPT = ['cache-control', 'private, no-cache'] as const

function searchOf(target: string): string {
  const mark = target.indexOf('?')
  return mark === -1 ? '' : target.slice(mark + 1)
}
