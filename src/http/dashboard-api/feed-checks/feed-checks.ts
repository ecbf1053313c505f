import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../../lib/text.ts'
import { HOUR_MS } from '../../../lib/time.ts'
import type { CheckProgress, CheckReport, FeedCheckView } from '../../../shared/contract/feed-checks.ts'
import type { SourceOverview } from '../../../store/contracts/sources.ts'

/** What is to be checked. */
export interface FeedCheckOptions {
  readonly url: string
  readonly strict: boolean
  /** Asked for as this one is by its syncs: what it is asked with is never shown. */
  readonly source?: CheckedSource
}

/** What of a source says how its publisher is asked. */
export type CheckedSource = Pick<SourceOverview, 'slug' | 'format' | 'url' | 'options' | 'strict'>

/** Checks a feed away from those who wait; resolves with what it has when it is aborted. */
export type RunCheck = (
  options: FeedCheckOptions,
  signal: AbortSignal,
  onProgress: (progress: CheckProgress) => void,
) => Promise<CheckReport>

/** Each takes a thread, and memory like a sync. */
export const CHECKS_AT_ONCE = 3

/** A report is kept so long for whoever asked for it. */
const KEPT_MS = HOUR_MS

/** So many reports are kept at most, of at most a megabyte each. */
const KEPT_MAX = 20

type Changing = { -readonly [K in keyof FeedCheckView]: FeedCheckView[K] }

interface Kept {
  readonly view: Changing
  readonly owner: string
  readonly stopping: AbortController
  readonly done: Promise<void>
}

/** The checks that people asked this node for: one at a time each, and for an hour what came of it. In memory alone. */
export class FeedChecks {
  readonly #run: RunCheck
  readonly #now: () => number
  readonly #checks = new Map<string, Kept>()

  constructor(run: RunCheck, now: () => number) {
    this.#run = run
    this.#now = now
  }

  /** Undefined if too many are running on this node; or the person's own that is running already. */
  start(
    owner: string,
    options: FeedCheckOptions,
  ): FeedCheckView | { readonly running: FeedCheckView } | undefined {
    this.#forget()
    const all = [...this.#checks.values()].filter(({ view }) => view.state === 'running')
    const own = all.find((check) => check.owner === owner)
    if (own !== undefined) return { running: own.view }
    if (all.length >= CHECKS_AT_ONCE) return undefined
    const { url, strict, source } = options
    const told = { url, strict, ...(source && { source: source.slug }) }
    const view: Changing = { id: randomUUID(), ...told, state: 'running', startedAtMs: this.#now() }
    const stopping = new AbortController()
    const done = this.#follow(view, options, stopping.signal)
    this.#checks.set(view.id, { view, owner, stopping, done })
    return view
  }

  /** Whoever did not ask for it does not get to see it. */
  find(owner: string, id: string): FeedCheckView | undefined {
    const kept = this.#checks.get(id)
    return kept?.owner === owner ? kept.view : undefined
  }

  /** It ends soon, with what it has. False if there is none. */
  stop(owner: string, id: string): boolean {
    const kept = this.#checks.get(id)
    if (kept?.owner !== owner) return false
    kept.stopping.abort(new Error('it was stopped'))
    return true
  }

  /** Stops all; resolves when they have ended. */
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
    } catch (fault) {
      view.state = 'failed'
      view.message = errorMessage(fault)
    }
  }

  #forget(): void {
    const ended = [...this.#checks].filter(([, { view }]) => view.state !== 'running')
    const tooMany = ended.slice(0, Math.max(0, this.#checks.size - KEPT_MAX + 1))
    const tooOld = ended.filter(([, { view }]) => view.startedAtMs < this.#now() - KEPT_MS)
    for (const [id] of [...tooMany, ...tooOld]) this.#checks.delete(id)
  }
}
