import { posix } from 'node:path'
import { DOCS_PAGES, type DocsPage, pathOf } from './docs-pages.ts'

/** Stands for the service's own address in what is served. */
export const BASE_URL_MARK = '__BASE_URL__'

/** The address by which the sources name the service, so that they read well where nothing is filled in. */
export const SAMPLE_BASE_URL = 'http://localhost:8080'

/** What callers read names the address of the service that serves it; what operators read is about their own machine. */
export function withServedAddress(page: DocsPage, text: string): string {
  return isForCallers(page) ? text.replaceAll(SAMPLE_BASE_URL, BASE_URL_MARK) : text
}

/** Where a link of a page leads on the site. Undefined if it leads to a file that is not part of the site. */
export function resolveLink(from: DocsPage, href: string): string | undefined {
  if (href.startsWith(`${BASE_URL_MARK}/`)) return href.slice(BASE_URL_MARK.length)
  if (href.startsWith('#') || /^[a-z]+:/.test(href)) return href
  const { page, anchor } = linkedPage(from, href)
  return page === undefined ? undefined : pathOf(page) + anchor
}

/** The page's Markdown as it is served: links lead to the Markdown of other pages, by their whole address. */
export function servedMarkdown(page: DocsPage, text: string): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label, href) => {
    if (href.startsWith('#') || href.startsWith(BASE_URL_MARK) || /^[a-z]+:/.test(href)) return link
    const { page: target, anchor } = linkedPage(page, href)
    return target === undefined ? label : `[${label}](${BASE_URL_MARK}${pathOf(target)}.md${anchor})`
  })
}

function linkedPage(from: DocsPage, href: string): { page: DocsPage | undefined; anchor: string } {
  const [file, anchor] = href.split('#')
  const source = posix.join(posix.dirname(from.source), file)
  return {
    page: DOCS_PAGES.find((page) => page.source === source),
    anchor: anchor === undefined ? '' : `#${anchor}`,
  }
}

function isForCallers({ source, name }: DocsPage): boolean {
  return (source.startsWith('docs/guide/') && name !== 'self-hosting') || name === 'errors'
}

/** A page of the site, and the path it is served at. */
export interface SitePage {
  readonly path: string
  readonly html: string
}

/** What the service answers beside the pages: its dashboard, what lies at its root, and what is named by its hash. */
const SERVED_BESIDE =
  /^\/(?:app(?:[/?]|$)|assets\/|livez$|readyz$|openapi\.json$|llms\.txt$|favicon\.svg$|color-scheme\.js$)/

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
