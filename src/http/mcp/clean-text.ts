/** Longer texts are truncated, so that a publisher's text cannot fill an assistant's context. */
export const TEXT_LENGTH_MAX = 200

/** Longer links are left out: a truncated link is useless. */
const LINK_LENGTH_MAX = 2000

/**
 * A publisher's text on one line without invisible characters (controls, bidirectional marks, tags, variation selectors),
 * which could hide instructions for an assistant. Undefined if nothing is left or the value is not a string.
 */
export function cleanText(value: unknown, lengthMax = TEXT_LENGTH_MAX): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .slice(0, 10 * lengthMax)
    .replace(UNSEEN, '')
    .replace(SPACES, ' ')
    .trim()
  if (text === '') return undefined
  return text.length > lengthMax ? `${text.slice(0, lengthMax).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

/** An http or https URL in normalized form; undefined for anything else. */
export function cleanLink(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > LINK_LENGTH_MAX) return undefined
  return url.href
}

/** Whitespace is kept here and collapsed later. */
const UNSEEN = /(?![\t\n\r])[\p{C}\p{Default_Ignorable_Code_Point}]/gu
const SPACES = /[\s\u2028\u2029]+/g
