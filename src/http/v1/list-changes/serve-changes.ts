import { Semaphore } from '../../../lib/concurrency.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ChangeLog } from '../../../store/contracts/change-log.ts'
import { answerFromStore } from '../../answer-from-store.ts'
import type { FailedRequest } from '../../api-context.ts'
import { etagOfContent } from '../../negotiation.ts'
import { type Problem, temporarilyUnavailable } from '../../problem.ts'
import { REVALIDATE } from '../../response-cache.ts'
import { jsonResponse, type SerializedRequest, type SerializedResponse } from '../../serialized-http.ts'
import { nextLink } from '../page-links.ts'
import { CHANGES_PATH, parseChangesQuery } from './list-changes.ts'
import { type ChangesPage, readChanges } from './read-changes.ts'

interface ChangesDependencies {
  readonly log: ChangeLog
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly now: () => number
  /** Reports an unexpected error, which is answered with 500. */
  readonly onError: (error: unknown, request: FailedRequest) => void
}

/** Each read holds one of the few store connections of the thread, and sign-in needs one as well. */
const CONCURRENT_READS_MAX = 2

/**
 * Handles GET /v1/scheduling/changes on a thread that may wait for the store. The main thread has checked the API key.
 */
export class ChangesHandler {
  readonly #dependencies: ChangesDependencies
  readonly #reads = new Semaphore(CONCURRENT_READS_MAX)

  constructor(dependencies: ChangesDependencies) {
    this.#dependencies = dependencies
  }

  /** Never rejects: errors become responses. */
  handle(request: SerializedRequest): Promise<SerializedResponse> {
    const failures = { unavailable: changesUnavailable, onError: this.#dependencies.onError }
    return answerFromStore(request, () => this.#read(searchOf(request.target)), failures)
  }

  async #read(search: string): Promise<SerializedResponse> {
    const query = parseChangesQuery(search)
    const page = await this.#reads.run(async () => {
      const log = await this.#dependencies.log.open()
      try {
        return await readChanges(log, query, this.#dependencies.now())
      } finally {
        await log.close()
      }
    })
    const revision = formatRevision(page.revision)
    const body = `{"changes":[${page.changes.join()}],"revision":"${revision}"}`
    const headers = [...this.#links(page, search, revision), ['etag', etagOfContent(body)], CACHING] as const
    return jsonResponse(body, { headers })
  }

  #links({ hasMore }: ChangesPage, search: string, revision: string): [string, string][] {
    if (!hasMore) return []
    const base = this.#dependencies.baseUrl + CHANGES_PATH
    return [['link', nextLink(base, search, { parameter: 'since', value: revision })]]
  }
}

/** The store is unavailable or not open yet. */
export function changesUnavailable(): Problem {
  return temporarilyUnavailable('The change log is')
}

const CACHING = ['cache-control', REVALIDATE] as const

function searchOf(target: string): string {
  const mark = target.indexOf('?')
  return mark === -1 ? '' : target.slice(mark + 1)
}
