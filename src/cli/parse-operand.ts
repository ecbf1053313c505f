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
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) return text
  throw new UsageFault(
    `Cannot use slug: it must be 1 to 63 lower-case letters, digits and hyphens, a letter or digit first: got "${text}"`,
  )
}

/** The address of a feed: absolute, http or https, without a user name or password. Throws `UsageFault`. */
export function parseFeedUrl(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && url.username + url.password !== '') {
    throw new UsageFault('Cannot use manifest URL: it must not hold a user name or a password')
  }
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new UsageFault(`Cannot use manifest URL: it must be an http or https URL: got "${text}"`)
}

/** An interval in milliseconds, from minutes: at least one, at most a week. Throws `UsageFault`. */
export function parseEvery(text: string): number {
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (minutes >= 1 && minutes <= 10_080) return minutes * 60_000
  throw new UsageFault(
    `Cannot use --every: it must be a whole number of minutes from 1 to 10080: got "${text}"`,
  )
}
