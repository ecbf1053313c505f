import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../lib/text.ts'
import { HOUR_MS } from '../../../lib/time.ts'
import type { Profile } from '../../../shared/conformance-labels.ts'
import {
  type CheckProgress,
  type CheckReport,
  FEED_CHECK_CONTRACT,
  type FeedCheckView,
} from '../../../shared/contract/feed-checks.ts'
import { conflict, invalidField, notFound, orNotFound } from '../../../shared/dashboard-problem.ts'
import type { SourceOverview } from '../../../store/contracts/sources.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'

/** The feed to check. */
interface FeedCheckOptions {
  readonly url: string
  readonly strict: boolean
  readonly profile?: Profile | undefined
  /** Requests the feed with this source's options, which may contain secrets and are never shown. */
  readonly source?: CheckedSource
}

/** The fields of a source that determine how its feed is requested. */
export type CheckedSource = Pick<SourceOverview, 'slug' | 'format' | 'url' | 'options' | 'strict'>

/** Checks a feed in another process. If it is aborted, resolves with the findings so far. */
export type RunCheck = (
  options: FeedCheckOptions,
  signal: AbortSignal,
  onProgress: (progress: CheckProgress) => void,
) => Promise<CheckReport>

/** How long a report can be read. */
const KEPT_MS = HOUR_MS

/** The number of reports in memory, of at most a megabyte each. */
const KEPT_MAX = 20

type Changing = { -readonly [K in keyof FeedCheckView]: FeedCheckView[K] }

interface Kept {
  readonly view: Changing
  readonly owner: string
  readonly stopping: AbortController
  readonly done: Promise<void>
}

/** The feed checks of this node, one at a time per user, and their reports of the last hour. Kept only in memory. */
export class FeedChecks {
  readonly #run: RunCheck
  readonly #now: () => number
  readonly #hasRoom: () => boolean
  readonly #checks = new Map<string, Kept>()

  /** `hasRoom`: whether a check can run now. */
  constructor(run: RunCheck, now: () => number, hasRoom: () => boolean) {
    this.#run = run
    this.#now = now
    this.#hasRoom = hasRoom
  }

  /** Starts a check. Undefined if there is no room for it on this node; `running` if the user already has one. */
  start(owner: string, options: FeedCheckOptions): FeedCheckView | { readonly running: FeedCheckView } | undefined {
    this.#forget()
    const all = [...this.#checks.values()].filter(({ view }) => view.state === 'running')
    const own = all.find((check) => check.owner === owner)
    if (own !== undefined) return { running: own.view }
    if (!this.#hasRoom()) return undefined
    const { url, strict, source, profile } = options
    const checked = { url, strict, ...(source && { source: source.slug }), ...(profile && { profile }) }
    const view: Changing = { id: randomUUID(), ...checked, state: 'running', startedAtMs: this.#now() }
    const stopping = new AbortController()
    const done = this.#follow(view, options, stopping.signal)
    this.#checks.set(view.id, { view, owner, stopping, done })
    return view
  }

  /** Only its owner can see a check. */
  find(owner: string, id: string): FeedCheckView | undefined {
    const kept = this.#checks.get(id)
    return kept?.owner === owner ? kept.view : undefined
  }

  /** Ends a check early, with the findings so far. False if the user has no such check. */
  stop(owner: string, id: string): boolean {
    const kept = this.#checks.get(id)
    if (kept?.owner !== owner) return false
    kept.stopping.abort(new Error('it was stopped'))
    return true
  }

  /** Stops all checks; resolves when they have ended. */
  async close(): Promise<void> {
    for (const { stopping } of this.#checks.values()) stopping.abort(new Error('the service is stopping'))
    await Promise.all([...this.#checks.values()].map(({ done }) => done))
  }

  async #follow(view: Changing, options: FeedCheckOptions, signal: AbortSignal): Promise<void> {
    try {
      view.report = await this.#run(options, signal, (progress) => {
        view.progress = progress
      })
      view.state = 'done'
    } catch (error) {
      view.state = 'failed'
      view.message = errorMessage(error)
    }
  }

  #forget(): void {
    const ended = [...this.#checks].filter(([, { view }]) => view.state !== 'running')
    const tooMany = ended.slice(0, Math.max(0, this.#checks.size - KEPT_MAX + 1))
    const tooOld = ended.filter(([, { view }]) => view.startedAtMs < this.#now() - KEPT_MS)
    for (const [id] of [...tooMany, ...tooOld]) this.#checks.delete(id)
  }
}

const NO_ROOM =
  'The service is already running as many checks and imports as its memory allows. Try again when one has finished.'

export const feedCheckRoutes = implement(FEED_CHECK_CONTRACT, {
  // Responds without waiting for the check.
  'POST /api/operator/checks': async ({ context, session, body }) => {
    const { url, source, strict = false, profile } = body
    if ((url === undefined) === (source === undefined))
      throw invalidField('Provide either the URL or the source.', 'url')
    const options =
      source === undefined ? { url: new URL(url ?? '').href, strict } : await optionsOfSource(context, source, strict)
    const started = context.feedChecks.start(session.userId, { ...options, profile })
    if (started === undefined) throw conflict(NO_ROOM)
    if ('running' in started)
      throw conflict(`You are checking ${started.running.url}. Stop that check first, or wait for it.`)
    return started
  },

  'GET /api/operator/checks/:check': async ({ context, session, params }) => {
    return orNotFound(context.feedChecks.find(session.userId, params.check), 'check')
  },

  'DELETE /api/operator/checks/:check': async ({ context, session, params }) => {
    if (!context.feedChecks.stop(session.userId, params.check)) throw notFound('check')
  },
})

/** Requests the feed as the syncs of its source do, and reads it at least as strictly. */
async function optionsOfSource(
  { store }: DashboardContext,
  slug: string,
  isStrict: boolean,
): Promise<FeedCheckOptions> {
  const source = orNotFound(await store.sources.find(slug), 'source')
  const { format, url, options } = source
  if (format !== 'smart-links')
    throw conflict(`${slug} publishes no manifest: only feeds with a manifest can be checked.`)
  const strict = source.strict || isStrict
  return { url, strict, source: { slug, format, url, options, strict } }
}
