/** A page of the site, and the path it is served at. */
export interface SitePage {
  readonly path: string
  readonly html: string
}

/** What the service answers beside the pages: its dashboard, what lies at its root, and what is named by its hash. */
const SERVED_BESIDE =
  /^\/(?:app(?:[/?]|$)|assets\/|livez$|readyz$|openapi\.json$|llms\.txt$|favicon\.svg$|colour-scheme\.js$)/

/** Throws, and names them all, if a link within the site leads to no page or to no place in one. `beside` are further paths that exist. */
export function assertLinksHold(pages: readonly SitePage[], beside: ReadonlySet<string>): void {
  const anchors = new Map(pages.map(({ path, html }) => [path, idsOf(html)]))
  const broken = pages.flatMap(({ path, html }) =>
    [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)]
      .map(([, href]) => href)
      .filter((href) => !/^[a-z]+:/.test(href) && !leadsSomewhere(path, href))
      .map((href) => `${path}: ${href}`),
  )
  if (broken.length > 0)
    throw new Error(`Cannot render the site: links must lead somewhere: got ${broken.join(', ')}`)

  function leadsSomewhere(from: string, href: string): boolean {
    const [path, anchor] = href.split('#')
    if (beside.has(path) || SERVED_BESIDE.test(path)) return true
    const ids = anchors.get(path === '' ? from : path)
    return ids !== undefined && (anchor === undefined || ids.has(anchor))
  }
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))
}
