import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from 'vite'
import { assertLinksHold, type SitePage } from './check-links.ts'
import { DOCS_PAGES, type DocsPage, pathOf, REFERENCE_PAGE } from './docs-pages.ts'
import { ROOT } from './fingerprint.ts'
import { Frame } from './frame.ts'
import { BASE_URL_MARK, resolveLink, SAMPLE_BASE_URL, servedMarkdown, withServedAddress } from './links.ts'
import { llmsText } from './llms-text.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { writeReferenceScript } from './reference-script.ts'
import { searchIndex } from './search-index.ts'

/** Where `docs/api.http` is served. */
const COLLECTION_PATH = '/docs/api.http'

/** A page of the documentation, as it is written and as it is shown. */
export interface RenderedPage {
  readonly page: DocsPage
  readonly text: string
  readonly rendered: Rendered
}

/**
 * Renders the front page, the documentation and what goes with them into `<folder>/site`, and the search index into
 * `<folder>/assets`. Throws if a link within the site leads nowhere.
 */
export function renderSite(folder: string, manifest: Manifest): void {
  const docs = DOCS_PAGES.map(renderPage)
  const entry = manifest['site/site.ts']
  const frame = new Frame({
    script: `/${entry.file}`,
    styles: `/${entry.css?.[0]}`,
    searchIndex: writeSearchIndex(folder, docs),
    reference: [writeReferenceScript(folder), `/${manifest['site/reference.ts'].file}`],
  })
  const pages = [
    { path: '/', html: frame.frontPage() },
    { path: '/404', html: frame.notFoundPage() },
    ...docs.map((each) => ({
      path: pathOf(each.page),
      html:
        each.page === REFERENCE_PAGE
          ? frame.referencePage(each)
          : frame.docsPage(each, neighboursOf(each, docs)),
    })),
  ] satisfies SitePage[]
  assertLinksHold(pages, new Set([COLLECTION_PATH, ...docs.map(({ page }) => `${pathOf(page)}.md`)]))
  for (const { path, html } of pages) write(folder, `site${path === '/' ? '/index' : path}.html`, html)
  for (const { page, text } of docs) write(folder, `site${pathOf(page)}.md`, servedMarkdown(page, text))
  write(folder, 'site/llms.txt', llmsText(docs))
  write(folder, `site${COLLECTION_PATH}`, servedCollection())
}

/** The requests for the HTTP clients of editors. */
function servedCollection(): string {
  return readFileSync(join(ROOT, 'docs/api.http'), 'utf8').replaceAll(SAMPLE_BASE_URL, BASE_URL_MARK)
}

function renderPage(page: DocsPage): RenderedPage {
  const text = withServedAddress(page, readFileSync(join(ROOT, page.source), 'utf8'))
  return { page, text, rendered: renderMarkdown(text, (href) => resolveLink(page, href)) }
}

/** Who reads page by page is led past the reference: it has no end to go on from. */
function neighboursOf(
  page: RenderedPage,
  docs: readonly RenderedPage[],
): { before?: RenderedPage; after?: RenderedPage } {
  const read = docs.filter((each) => each.page !== REFERENCE_PAGE)
  const at = read.indexOf(page)
  return { before: read[at - 1], after: read[at + 1] }
}

/** Named by its hash, as everything below `/assets/`. Returns its address. */
function writeSearchIndex(folder: string, docs: readonly RenderedPage[]): string {
  const index = searchIndex(
    docs.flatMap(({ page, rendered }) =>
      rendered.sections.map((section) => ({
        ...section,
        path: section.id === '' ? pathOf(page) : `${pathOf(page)}#${section.id}`,
        page: page.label,
        // The index is kept for ever under its name, so it holds nothing that is filled in later.
        text: section.text.replaceAll(BASE_URL_MARK, ''),
      })),
    ),
  )
  const path = `assets/search-${createHash('sha256').update(index).digest('base64url').slice(0, 8)}.json`
  write(folder, path, index)
  return `/${path}`
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
