/**
 * An absolute http or https URL that is safe to hand on, or undefined: no other protocol, nothing relative, no user or
 * password (which only serve to disguise where a link leads), at most 2,000 characters. A URL with characters that need
 * escaping comes back escaped.
 */
export function webLink(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined
  if (PLAIN.test(text)) return text
  const trimmed = text.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  return url.username === '' && url.password === '' && url.href.length <= LENGTH_MAX ? url.href : undefined
}

const LENGTH_MAX = 2000

/** What needs no second look: five times faster than `new URL`, and nearly all links are like this. */
const PLAIN = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i
