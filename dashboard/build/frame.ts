import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../../src/lib/text.ts'
import { PRODUCT_NAME } from '../../src/shared/service-identity.ts'
import { docsMain } from './docs-layout.ts'
import { type DocsPage, pathOf, type RenderedPage } from './docs-pages.ts'
import { fillTemplate } from './fill-template.ts'
import { PREVIEW } from './icons.ts'
import { BASE_URL_MARK } from './links.ts'
import { renderFragment } from './markdown.ts'
import { slotIllustration } from './slot-picture.ts'

const SITE = join(import.meta.dirname, '../site')
/** The service replaces it with its name. */
export const NAME_MARK = '__SERVICE_NAME__'
const DESCRIPTION =
  'Open health-care appointment slots of many publishers behind one HTTP API: exact totals, stable pages, free keys.'

/** Paths of the assets. */
export interface Assets {
  readonly script: string
  readonly styles: string
  readonly searchIndex: string
}

/** Renders complete pages from the templates in `dashboard/site`. */
export class Frame {
  readonly #assets: Assets

  constructor(assets: Assets) {
    this.#assets = assets
  }

  frontPage(): string {
    const main = fillTemplate(template('front.html'), {
      picture: slotIllustration(),
      call: renderFragment(template('call.md')),
      answer: renderFragment(template('answer.md')),
      run: renderFragment(template('run.md')),
    })
    return this.#page({ kind: 'front', path: '/', title: `${NAME_MARK}: open appointment slots, one API`, main })
  }

  notFoundPage(): string {
    const main = fillTemplate(template('not-found.html'), { search: this.#search() })
    return this.#page({ kind: 'plain', title: `Not found · ${NAME_MARK}`, hasOwnSearch: true, main })
  }

  /** The service inserts the content on each request. */
  statusPage(): string {
    const main = template('status.html')
    const description = 'Which publishers are served, how fresh each one is, and the incidents of the last 90 days.'
    return this.#page({ kind: 'plain', path: '/status', title: `Status · ${NAME_MARK}`, description, main })
  }

  docsPage(each: RenderedPage, neighbors: { before?: RenderedPage; after?: RenderedPage }): string {
    const { title, description } = each.rendered
    return this.#page({
      kind: 'docs',
      path: pathOf(each.page),
      title: `${title === PRODUCT_NAME ? 'Documentation' : title} · ${NAME_MARK}`,
      description,
      alternate: alternateOf(each.page),
      main: docsMain(template('docs.html'), each, neighbors),
    })
  }

  #search(): string {
    return fillTemplate(template('search.html'), { index: this.#assets.searchIndex })
  }

  #page(page: {
    kind: 'front' | 'docs' | 'plain'
    /** Absent for pages that have no address of their own. */
    path?: string
    title: string
    description?: string
    alternate?: string
    /** The search is in the main part instead of the header. */
    hasOwnSearch?: boolean
    main: string
  }): string {
    const { script, styles } = this.#assets
    const header = fillTemplate(template('header.html'), {
      search: page.hasOwnSearch ? '' : this.#search(),
      docsLink: page.kind === 'docs' ? '<a href="/docs" aria-current="true">Docs</a>' : '<a href="/docs">Docs</a>',
    })
    return fillTemplate(template('page.html'), {
      kind: page.kind,
      title: escapeHtml(page.title),
      description: escapeHtml(page.description ?? DESCRIPTION),
      sharing: sharing(page),
      alternate: page.alternate ?? '',
      header,
      main: page.main,
      footer: template('footer.html'),
      script,
      styles,
    })
  }
}

/** For search engines, and for previews of shared links (Open Graph, Twitter cards). */
function sharing({ path, title, description = DESCRIPTION }: { path?: string; title: string; description?: string }) {
  if (path === undefined) return '<meta name="robots" content="noindex">\n'
  const url = `${BASE_URL_MARK}${path}`
  const properties = {
    type: 'website',
    site_name: NAME_MARK,
    title,
    description,
    url,
    image: `${BASE_URL_MARK}/social-preview.png`,
    'image:width': String(PREVIEW.width),
    'image:height': String(PREVIEW.height),
    'image:alt': 'A map of the United States in tiles with appointment slots',
  }
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="og:${name}" content="${escapeHtml(content)}">\n`,
  )
  return `<link rel="canonical" href="${url}">\n${tags.join('')}<meta name="twitter:card" content="summary_large_image">\n`
}

function alternateOf(page: DocsPage): string {
  return `<link rel="alternate" type="text/markdown" href="${pathOf(page)}.md">\n`
}

function template(name: string): string {
  return readFileSync(join(SITE, name), 'utf8').trimEnd()
}
