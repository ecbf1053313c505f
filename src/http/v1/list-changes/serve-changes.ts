import { Semaphore } from '../../../lib/concurrency.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ChangeLog } from '../../../store/contracts/change-log.ts'
import { answerFromStore } from '../../answer-from-store.ts'
import type { FailedRequest } from '../../api-context.ts'
import { etagOfContent } from '../../negotiation.ts'
import { type Problem, temporarilyUnavailable } from '../../problem.ts'
import { REVALIDATE } from '../../response-cache.ts'
import { jsonResponse, ownerOf, type SerializedRequest, type SerializedResponse } from '../../serialized-http.ts'
import { nextLink } from '../page-links.ts'
import { CHANGE_EVENTS, formatEvents } from './change-events.ts'
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

  /** As JSON, or as events for the operation `CHANGE_EVENTS`. Never rejects: errors become responses. */
  handle(request: SerializedRequest): Promise<SerializedResponse> {
    const failures = { unavailable: changesUnavailable, onError: this.#dependencies.onError }
    const respond = request.operation === CHANGE_EVENTS ? this.#events : this.#json
    return answerFromStore(request, () => respond(searchOf(request.target), ownerOf(request)), failures)
  }

  readonly #json = async (search: string, owner: string): Promise<SerializedResponse> => {
    const page = await this.#read(search, owner)
    const revision = formatRevision(page.revision)
    const body = `{"changes":[${page.changes.map(({ json }) => json).join()}],"revision":"${revision}"}`
    const headers = [...this.#links(page, search, revision), ['etag', etagOfContent(body)], CACHING] as const
    return jsonResponse(body, { headers })
  }

  readonly #events = async (search: string, owner: string): Promise<SerializedResponse> => {
    const page = await this.#read(search, owner)
    const revision = formatRevision(page.revision)
    const headers = [...this.#links(page, search, revision), ['slots-revision', revision]] as const
    return { status: 200, headers, body: Buffer.from(formatEvents(page)) }
  }

  #read(search: string, owner: string): Promise<ChangesPage> {
    const query = parseChangesQuery(search)
    return this.#reads.run(async () => {
      const log = await this.#dependencies.log.open()
      try {
        return await readChanges(log, query, this.#dependencies.now())
      } finally {
        await log.close()
      }
    }, owner)
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
