import { posix } from 'node:path'
import { DOCS_PAGES, type DocsPage, pathOf } from './docs-pages.ts'
import type { Picture } from './pictures.ts'

/** Placeholder for the service's own address. */
export const BASE_URL_MARK = '__BASE_URL__'

/** The service's address in the Markdown sources. */
export const SAMPLE_BASE_URL = 'http://localhost:8080'

/** Replaces the sample address in pages for API users; pages for operators keep it. */
export function withServedAddress(page: DocsPage, text: string): string {
  return isForCallers(page) ? text.replaceAll(SAMPLE_BASE_URL, BASE_URL_MARK) : text
}

/** Resolves a link of a page to a path of the site. Undefined for files that are not part of the site. */
export function resolveLink(from: DocsPage, href: string): string | undefined {
  if (href.startsWith(`${BASE_URL_MARK}/`)) return href.slice(BASE_URL_MARK.length)
  if (href.startsWith('#') || /^[a-z]+:/.test(href)) return href
  const { page, anchor } = linkedPage(from, href)
  return page === undefined ? undefined : pathOf(page) + anchor
}

/** The served Markdown of a page: links are absolute and point to Markdown, and to the light pictures. */
export function servedMarkdown(page: DocsPage, text: string, picture: (href: string) => Picture): string {
  const pictured = text.replace(
    /!\[([^\]]+)\]\(([^)\s]+)\)/g,
    (_, alt, href) => `![${alt}](${BASE_URL_MARK}${picture(href).light})`,
  )
  return pictured.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label, href) => {
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

/** A page of the site and its path. */
export interface SitePage {
  readonly path: string
  readonly html: string
}

/** Paths that are not pages of the site: the dashboard, root files, assets. */
const OTHER_PATHS =
  /^\/(?:app(?:[/?]|$)|assets\/|livez$|readyz$|openapi\.json$|llms\.txt$|favicon\.(?:svg|ico)$|apple-touch-icon\.png$|color-scheme\.js$)/

/** Throws with a list of all broken internal links. `otherPaths` are further existing paths. */
export function assertNoBrokenLinks(pages: readonly SitePage[], otherPaths: ReadonlySet<string>): void {
  const anchors = new Map(pages.map(({ path, html }) => [path, idsOf(html)]))
  const broken = pages.flatMap(({ path, html }) =>
    [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)]
      .map(([, href]) => (href.startsWith(`${BASE_URL_MARK}/`) ? href.slice(BASE_URL_MARK.length) : href))
      .filter((href) => !/^[a-z]+:/.test(href) && !exists(path, href))
      .map((href) => `${path}: ${href}`),
  )
  if (broken.length > 0) throw new Error(`The site has broken links: ${broken.join(', ')}`)

  function exists(from: string, href: string): boolean {
    const [path, anchor] = href.split('#')
    if (otherPaths.has(path) || OTHER_PATHS.test(path)) return true
    const ids = anchors.get(path === '' ? from : path)
    return ids !== undefined && (anchor === undefined || ids.has(anchor))
  }
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))
}
