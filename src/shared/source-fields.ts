/** The longest interval between two syncs: a week. */
export const EVERY_MINUTES_MAX = 10_080

/** Completes a sentence about the interval, in minutes. */
export const EVERY_MUST = `must be a whole number of minutes from 1 to ${EVERY_MINUTES_MAX}`

/** The largest limit of slots: the index cannot hold more. */
export const SLOTS_LIMIT_MAX = 150_000_000

/** Completes a sentence about a limit of slots. */
export const SLOTS_MUST = `must be a whole number from 1 to ${SLOTS_LIMIT_MAX}`

/** A source with fewer slots can become empty because all of them were booked. */
export const MANY_SLOTS_MIN = 10

/** Why a text is not a valid slug of a source, to complete a sentence; undefined if it is valid. */
export function slugProblem(text: string): string | undefined {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) return undefined
  return `must be 1 to 63 lower-case letters, digits and hyphens, a letter or digit first: got ${JSON.stringify(text.slice(0, 100))}`
}

/** Why a text is not a valid feed URL, to complete a sentence, without repeating a password; undefined if it is valid. */
export function feedUrlProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (url !== null && url.username + url.password !== '') return 'must not hold a user name or a password'
  if (url !== null && /^https?:$/.test(url.protocol)) return undefined
  return `must be an http or https URL: got ${JSON.stringify(text.slice(0, 500))}`
}

/** How many days ahead a search asks for slots by default. */
export const DAYS_AHEAD = 30
export const DAYS_AHEAD_MAX = 366

/** The percentage of rejected lines beyond which a snapshot is suspicious, by default. */
export const REJECTED_PERCENT_MAX = 10

/** The environment variables that the options of a source refer to, each once. */
export function secretsIn(options: object): readonly string[] {
  const references = JSON.stringify(options).matchAll(/\$\{(SOURCE_[A-Z0-9_]{1,100})\}/g)
  return [...new Set(Array.from(references, ([, name]) => name))]
}
