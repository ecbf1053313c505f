import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import type { Manifest } from 'vite'
import { SEARCH_OPTIONS } from '../site/search-options.ts'
import { changeDates } from './change-dates.ts'
import { DOCS_PAGES, DOCS_SECTIONS, type DocsPage, pathOf, REFERENCE_PAGE, type RenderedPage } from './docs-pages.ts'
import { contentHash, ROOT } from './fingerprint.ts'
import { Frame, NAME_MARK } from './frame.ts'
import {
  assertNoBrokenLinks,
  BASE_URL_MARK,
  resolveLink,
  SAMPLE_BASE_URL,
  type SitePage,
  servedMarkdown,
  withServedAddress,
} from './links.ts'
import { renderMarkdown, type Section } from './markdown.ts'
import { copyPicture } from './pictures.ts'
import { referenceMarkdown, servedDocument } from './reference.ts'

/** Path of `docs/api.http`. */
const COLLECTION_PATH = '/docs/api.http'

/**
 * Renders the front page, the documentation and related files into `<folder>/site`, and the search index into
 * `<folder>/assets`. Throws on broken internal links.
 */
export function renderSite(folder: string, manifest: Manifest): void {
  const dates = changeDates(DOCS_PAGES.map(({ source }) => source))
  // Most of the reference comes from the code.
  dates.delete(REFERENCE_PAGE.source)
  const docs = DOCS_PAGES.map((page) => ({ ...renderPage(folder, page), changedOn: dates.get(page.source) }))
  const entry = manifest['site/site.ts']
  const frame = new Frame({
    script: `/${entry.file}`,
    styles: `/${entry.css?.[0]}`,
    searchIndex: writeSearchIndex(folder, docs),
  })
  const pages = [
    { path: '/', html: frame.frontPage() },
    { path: '/404', html: frame.notFoundPage() },
    { path: '/status', html: frame.statusPage() },
    ...docs.map((each) => ({
      path: pathOf(each.page),
      html: frame.docsPage(each, neighborsOf(each, docs)),
    })),
  ] satisfies SitePage[]
  assertNoBrokenLinks(pages, new Set([COLLECTION_PATH, ...docs.map(({ page }) => `${pathOf(page)}.md`)]))
  for (const { path, html } of pages) write(folder, `site${path === '/' ? '/index' : path}.html`, html)
  for (const { page, text } of docs) {
    const markdown = servedMarkdown(page, text, (href) => copyPicture(folder, page, href))
    write(folder, `site${pathOf(page)}.md`, markdown)
  }
  write(folder, 'site/llms.txt', llmsText(docs))
  write(folder, 'site/sitemap.xml', sitemap(docs))
  write(folder, `site${COLLECTION_PATH}`, servedCollection())
}

/** The request collection for HTTP clients of editors. */
function servedCollection(): string {
  return readFileSync(join(ROOT, 'docs/api.http'), 'utf8').replaceAll(SAMPLE_BASE_URL, BASE_URL_MARK)
}

function renderPage(folder: string, page: DocsPage): RenderedPage {
  const source = readFileSync(join(ROOT, page.source), 'utf8')
  const whole = page === REFERENCE_PAGE ? `${source}\n${referenceMarkdown(servedDocument())}` : source
  const text = withServedAddress(page, whole)
  const rendered = renderMarkdown(text, {
    link: (href) => resolveLink(page, href),
    picture: (href) => copyPicture(folder, page, href),
  })
  return { page, text, rendered }
}

/** Previous and next page. */
function neighborsOf(
  page: RenderedPage,
  docs: readonly RenderedPage[],
): { before?: RenderedPage; after?: RenderedPage } {
  const at = docs.indexOf(page)
  return { before: docs[at - 1], after: docs[at + 1] }
}

/** Writes a file named by its hash and returns its path. */
function writeSearchIndex(folder: string, docs: readonly RenderedPage[]): string {
  const index = searchIndex(
    docs.flatMap(({ page, rendered }) =>
      rendered.sections.map((section) => ({
        ...section,
        path: section.id === '' ? pathOf(page) : `${pathOf(page)}#${section.id}`,
        page: page.label,
        // The index is immutable, so it must not contain placeholders.
        text: section.text.replaceAll(BASE_URL_MARK, ''),
      })),
    ),
  )
  const path = `assets/search-${contentHash(index)}.json`
  write(folder, path, index)
  return `/${path}`
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** A section in the search index. */
interface SearchedSection extends Section {
  /** Path with the fragment, if any. */
  readonly path: string
  readonly page: string
}

/** Serializes the search index of all sections. */
function searchIndex(sections: readonly SearchedSection[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS)
  index.addAll(
    sections.map(({ path, page, heading, text, excerpt }) => ({
      id: path,
      page,
      heading,
      text,
      excerpt: cut(excerpt),
    })),
  )
  return JSON.stringify(index)
}

function cut(text: string): string {
  if (text.length <= 140) return text
  return `${text.slice(0, text.lastIndexOf(' ', 140))} …`
}

/** The pages for search engines (sitemaps.org): those that every service has. */
function sitemap(docs: readonly RenderedPage[]): string {
  const paths = ['/', ...docs.map(({ page }) => pathOf(page))]
  const urls = paths.map((path) => `<url><loc>${BASE_URL_MARK}${path}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`
}

/** The content of llms.txt (llmstxt.org): a summary and a list of all Markdown pages. */
function llmsText(docs: readonly RenderedPage[]): string {
  const sections = DOCS_SECTIONS.map(({ title, pages }) => {
    const links = pages.map((page) => {
      const description = docs.find((each) => each.page === page)?.rendered.description ?? ''
      return `- [${page.label}](${BASE_URL_MARK}${pathOf(page)}.md): ${description}`
    })
    return `## ${title}\n\n${links.join('\n')}\n`
  })
  return `# ${NAME_MARK}

> Open health-care appointment slots of many publishers (SMART Scheduling Links, FHIR R4) behind one HTTP API.

- The API: \`GET ${BASE_URL_MARK}/v1/scheduling/slots\` with \`Authorization: Bearer <API_KEY>\`. It answers \`{"slots": [...], "total": n}\`.
- All of it as OpenAPI 3.1: ${BASE_URL_MARK}/openapi.json
- Keys are free and are made by a person in the dashboard: ${BASE_URL_MARK}/app/sign-up. Never put one into source control or into client-side code.
- It books nothing and holds no patient data: the \`bookingDeepLink\` of a slot leads to where it is booked.

## Service

- Software: Scheduling Slots, open source under Apache-2.0
__OPERATOR_LINKS__
${sections.join('\n')}`
}
