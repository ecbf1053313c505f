/** The longest interval between two syncs: a week. */
export const EVERY_MINUTES_MAX = 10_080

/** Completes a sentence about the interval, in minutes. */
export const EVERY_MUST = `must be a whole number of minutes from 1 to ${EVERY_MINUTES_MAX}`

/** Completes a sentence about what cannot be our name of a source; undefined if it can. */
export function faultOfSlug(text: string): string | undefined {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) return undefined
  return `must be 1 to 63 lower-case letters, digits and hyphens, a letter or digit first: got ${JSON.stringify(text.slice(0, 100))}`
}

/** Completes a sentence about what cannot be the address of a feed, without repeating a password; undefined if it can. */
export function faultOfFeedUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url !== null && url.username + url.password !== '') return 'must not hold a user name or a password'
  if (url !== null && /^https?:$/.test(url.protocol)) return undefined
  return `must be an http or https URL: got ${JSON.stringify(text.slice(0, 500))}`
}
