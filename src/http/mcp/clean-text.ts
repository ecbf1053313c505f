/** Longer texts are cut: what a publisher wrote must not fill an assistant's mind. */
export const TEXT_LENGTH_MAX = 200

/** Longer addresses are left out: a part of one leads nowhere. */
const LINK_LENGTH_MAX = 2000

/**
 * A publisher's text on one line, without what people do not see: controls, marks of direction, tags and selectors, in which
 * words for a machine could hide. Undefined if nothing is left, or it is no text.
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

/** An http or https address in which nothing but an address can stand; undefined for any other. */
export function cleanLink(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > LINK_LENGTH_MAX) return undefined
  return url.href
}

/** Spaces and line breaks are kept here, to become one space each. */
const UNSEEN = /(?![\t\n\r])[\p{C}\p{Default_Ignorable_Code_Point}]/gu
const SPACES = /[\s\u2028\u2029]+/g
