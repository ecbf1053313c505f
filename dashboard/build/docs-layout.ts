import { escapeHtml } from '../../src/lib/text.ts'
import { DOCS_SECTIONS, type DocsPage, pathOf, type RenderedPage } from './docs-pages.ts'
import { fillTemplate } from './fill-template.ts'
import type { Heading } from './markdown.ts'

/** The main part of a documentation page: navigation, article, table of contents. */
export function docsMain(
  template: string,
  { page, rendered, changedOn }: RenderedPage,
  { before, after }: { before?: RenderedPage; after?: RenderedPage },
): string {
  const hasToc = rendered.headings.length > 1
  return fillTemplate(template, {
    nav: navigation(page),
    article: rendered.html.trimEnd(),
    markdown: `${pathOf(page)}.md`,
    changed: changedOn === undefined ? '' : lastChanged(changedOn),
    neighbors: neighbors(before?.page, after?.page),
    toc: hasToc ? tableOfContents(rendered.headings) : '',
    tocButton: hasToc ? '<button type="button" popovertarget="docs-toc">On this page</button>\n' : '',
  })
}

function navigation(current: DocsPage): string {
  return DOCS_SECTIONS.map(({ title, pages }) => {
    const links = pages.map((page) => {
      const mark = page === current ? ' aria-current="page"' : ''
      return `<li><a href="${pathOf(page)}"${mark}>${escapeHtml(page.label)}</a></li>`
    })
    return `<p class="docs-nav-title">${title}</p>\n<ul>\n${links.join('\n')}\n</ul>`
  }).join('\n')
}

function lastChanged(day: string): string {
  const text = new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return `<p class="docs-changed">Last changed on <time datetime="${day}">${text}</time></p>\n`
}

function tableOfContents(headings: readonly Heading[]): string {
  const links = headings.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return (
    '<nav class="docs-toc" id="docs-toc" popover aria-labelledby="docs-toc-title">\n' +
    `<p class="docs-nav-title" id="docs-toc-title">On this page</p>\n<ul>\n${links.join('\n')}\n</ul>\n</nav>`
  )
}

function neighbors(before: DocsPage | undefined, after: DocsPage | undefined): string {
  const link = (rel: 'prev' | 'next', word: string, page: DocsPage) =>
    `<a class="${rel}" rel="${rel}" href="${pathOf(page)}"><span>${word}</span>${escapeHtml(page.label)}</a>`
  return (
    '<nav class="neighbors" aria-label="Previous and next page">\n' +
    `${before === undefined ? '' : `${link('prev', 'Previous', before)}\n`}` +
    `${after === undefined ? '' : `${link('next', 'Next', after)}\n`}</nav>`
  )
}
