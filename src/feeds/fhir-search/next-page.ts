import { excerpt, type Json, objectsIn } from '../../lib/json.ts'
import { InvalidData } from '../invalid-data.ts'

/** Where a bundle goes on, resolved against its own URL; undefined on the last page. Throws `InvalidData` unless that is http or https. */
export function nextPage({ link }: Json, page: URL): URL | undefined {
  const next = objectsIn(link).find(({ relation }) => relation === 'next')
  if (next === undefined) return undefined
  const url = typeof next.url === 'string' ? URL.parse(next.url, page) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidData(`link "next" must be an http or https URL: got "${excerpt(next.url)}"`)
  // A server behind a proxy that ends TLS often does not know that it is asked by https.
  if (page.protocol === 'https:' && url.protocol === 'http:' && url.hostname === page.hostname) {
    url.protocol = 'https:'
    url.port = page.port
  }
  url.hash = ''
  return url
}
