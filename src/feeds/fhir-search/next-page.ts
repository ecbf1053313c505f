import { type Json, objectsOf, shown, Unreadable } from '../../lib/json.ts'

/** Where a bundle goes on, resolved against its own URL; undefined on the last page. Throws `Unreadable` unless that is http or https. */
export function nextPage({ link }: Json, page: URL): URL | undefined {
  const next = objectsOf(link).find(({ relation }) => relation === 'next')
  if (next === undefined) return undefined
  const url = typeof next.url === 'string' ? URL.parse(next.url, page) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Unreadable(`link "next" must be an http or https URL: got "${shown(next.url)}"`)
  // A server behind a proxy that ends TLS often does not know that it is asked by https.
  if (page.protocol === 'https:' && url.protocol === 'http:' && url.hostname === page.hostname) {
    url.protocol = 'https:'
    url.port = page.port
  }
  url.hash = ''
  return url
}
