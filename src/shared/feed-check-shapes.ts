import type { CheckProgress } from '../validator/progress.ts'
import type { CheckReport } from '../validator/report.ts'

/** A check of a whole feed, as `/api/operator/checks` shows it. Times are milliseconds since 1970. */
export interface FeedCheckView {
  readonly id: string
  readonly url: string
  /** The slug of the source whose feed it is, if it was asked for as one. */
  readonly source?: string
  readonly strict: boolean
  readonly state: 'running' | 'done' | 'failed'
  readonly startedAtMs: number
  /** How far it is; absent until the first file is read. */
  readonly progress?: CheckProgress
  /** Once it is done; one that was stopped has the report of what it had read. */
  readonly report?: CheckReport
  /** Why it failed: a sentence. */
  readonly message?: string
}
