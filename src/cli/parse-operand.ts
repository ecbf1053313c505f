import { MINUTE_MS } from '../lib/time.ts'
import { EVERY_MINUTES_MAX, EVERY_MUST, faultOfFeedUrl, faultOfSlug } from '../store/sql/source-form.ts'
import { UsageFault } from './command.ts'

/** Long enough for every name there is, short enough for a line. */
const NAME_LENGTH_MAX = 200

/** A name as a person gives it to an organization or a key. Throws `UsageFault`. */
export function parseName(what: string, text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(name)) return name
  throw new UsageFault(
    `Cannot use ${what}: it must be one line of 1 to ${NAME_LENGTH_MAX} characters: got ${JSON.stringify(text.slice(0, NAME_LENGTH_MAX))}`,
  )
}

/** Our name of a source. Throws `UsageFault`. */
export function parseSlug(text: string): string {
  const fault = faultOfSlug(text)
  if (fault === undefined) return text
  throw new UsageFault(`Cannot use slug: it ${fault}`)
}

/** The address of a feed: absolute, http or https, without a user name or password. Throws `UsageFault`. */
export function parseFeedUrl(text: string): URL {
  const fault = faultOfFeedUrl(text)
  if (fault === undefined) return new URL(text)
  throw new UsageFault(`Cannot use manifest URL: it ${fault}`)
}

/** An interval in milliseconds, from minutes: at least one, at most a week. Throws `UsageFault`. */
export function parseEvery(text: string): number {
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (minutes >= 1 && minutes <= EVERY_MINUTES_MAX) return minutes * MINUTE_MS
  throw new UsageFault(`Cannot use --every: it ${EVERY_MUST}: got "${text}"`)
}
