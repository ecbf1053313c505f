import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PROBLEMS } from '../../src/http/problem.ts'
import { redirectsOf } from '../../src/http/site/redirects.ts'
import { POPULAR_PAGES } from '../site/search-options.ts'
import { loadSearcher } from '../site/searcher.ts'
import { changeDates } from './change-dates.ts'
import { DOCS_PAGES, pathOf, REFERENCE_PAGE } from './docs-pages.ts'
import { ROOT } from './fingerprint.ts'
import { renderSite } from './render-site.ts'

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'))
  renderSite(folder, {
    'site/site.ts': { file: 'assets/site-1.js', css: ['assets/site-1.css'] },
  })
})

after(() => rmSync(folder, { recursive: true, force: true }))

test('renders every page of the guide', () => {
  const written = readdirSync(join(ROOT, 'docs/guide')).map((name) => `docs/guide/${name}`)
  const shown = DOCS_PAGES.map(({ source }) => source).filter((source) => source.startsWith('docs/guide/'))
  assert.deepEqual(written.sort(), shown.sort())
})

test('serves the Markdown of each page with absolute links', () => {
  for (const page of DOCS_PAGES) {
    assert.ok(existsSync(join(folder, `site${pathOf(page)}.html`)), page.name)
    const markdown = readFileSync(join(folder, `site${pathOf(page)}.md`), 'utf8')
    const links = [...markdown.matchAll(/(?<!`)\]\(([^)\s]+)\)/g)].map(([, href]) => href)
    assert.deepEqual(
      links.filter((href) => !/^(?:#|https?:|__BASE_URL__\/)/.test(href)),
      [],
      page.name,
    )
  }
})

test('links all pages with previous and next', () => {
  for (const [at, page] of DOCS_PAGES.entries()) {
    const html = readFileSync(join(folder, `site${pathOf(page)}.html`), 'utf8')
    const next = /rel="next" href="([^"]+)"/.exec(html)?.[1]
    assert.equal(next, DOCS_PAGES[at + 1] && pathOf(DOCS_PAGES[at + 1]), page.name)
  }
})

test('no page has inline scripts or requests other hosts', () => {
  for (const [name, html] of htmlFiles()) {
    assert.doesNotMatch(html, /<script(?![^>]* src="\/)|\son\w+="|javascript:/, name)
    assert.doesNotMatch(
      html,
      /\b(?:src|srcset)="(?!\/)|<link(?! rel="canonical")[^>]* href="(?!\/)|@import|url\(/,
      name,
    )
  }
})

test('each page has one h1, a unique title and a description', () => {
  const titles = htmlFiles().map(([name, html]) => {
    assert.equal(html.match(/<h1\b/g)?.length, 1, name)
    assert.match(html, /<meta name="description" content="[^"]{20,}"/, name)
    return /<title>([^<]+)<\/title>/.exec(html)?.[1]
  })
  assert.equal(new Set(titles).size, titles.length)
})

test('every page but the one for a 404 has a canonical address and a preview of its links', () => {
  for (const [name, html] of htmlFiles()) {
    const path = `/${name.replace(/\.html$/, '')}`.replace(/^\/index$/, '/')
    const canonical = /<link rel="canonical" href="([^"]+)">/.exec(html)?.[1]
    assert.equal(canonical, path === '/404' ? undefined : `__BASE_URL__${path}`)
    assert.equal(/<meta name="robots" content="noindex">/.test(html), path === '/404')
    if (path === '/404') continue
    const property = (each: string) => new RegExp(`<meta property="og:${each}" content="([^"]+)">`).exec(html)?.[1]
    assert.equal(property('title'), /<title>([^<]+)<\/title>/.exec(html)?.[1])
    assert.deepEqual([property('url'), property('image')], [canonical, '__BASE_URL__/social-preview.png'])
  }
})

test('the sitemap lists the front page and the documentation', () => {
  const paths = [...readFileSync(join(folder, 'site/sitemap.xml'), 'utf8').matchAll(/<loc>__BASE_URL__([^<]+)<\/loc>/g)]
  assert.deepEqual(
    paths.map(([, path]) => path),
    ['/', ...DOCS_PAGES.map(pathOf)],
  )
})

test('addresses that people try lead to pages that exist', () => {
  for (const [path, target] of Object.entries(redirectsOf({}))) {
    assert.ok(!existsSync(join(folder, `site${path}.html`)), path)
    assert.ok(target.startsWith('/app/') || existsSync(join(folder, `site${target}.html`)), target)
  }
})

test('every error kind has an anchor', () => {
  const html = readFileSync(join(folder, 'site/docs/errors.html'), 'utf8')
  for (const kind of Object.keys(PROBLEMS)) assert.match(html, new RegExp(`id="${kind}"`))
})

test('llms.txt lists the Markdown of every page', () => {
  const text = readFileSync(join(folder, 'site/llms.txt'), 'utf8')
  for (const page of DOCS_PAGES) assert.ok(text.includes(`(__BASE_URL__${pathOf(page)}.md): `), page.name)
})

test('the search finds sections by heading, by text and with typos', async () => {
  const name = readdirSync(join(folder, 'assets')).find((each) => each.startsWith('search-'))
  const index = readFileSync(join(folder, `assets/${name}`), 'utf8')
  // Immutable files must not contain placeholders.
  assert.doesNotMatch(index, /__BASE_URL__/)
  const search = await loadSearcher(`data:application/json,${encodeURIComponent(index)}`)
  assert.equal(search('rotation')[0].id, '/docs/key-safety#rotation')
  assert.ok(search('clamped').some(({ id }) => id.startsWith('/docs/slots')))
  assert.match(search('pagnation')[0].id, /^\/docs\/pagination\b/)
  const synonyms: [string, RegExp][] = [
    ['sdk', /^\/docs\/client/],
    ['zip', /^\/docs\/(?:slots|recipes)/],
    ['sla', /^\/docs\/limits/],
    ['billing', /^\/docs\/limits/],
    ['status page', /^\/docs\/alerts#status-page$/],
  ]
  for (const [text, id] of synonyms)
    assert.ok(
      search(text)
        .slice(0, 4)
        .some((found) => id.test(found.id)),
      `${text}: ${search(text).map((found) => found.id)}`,
    )
  assert.ok(search('list publishers').some(({ id }) => id === '/docs/api#list-publishers'))
  assert.ok(search('swagger').some(({ id }) => id === '/docs/api'))
  assert.deepEqual(search('insurance premium'), [])
  for (const { id, page } of POPULAR_PAGES) assert.equal(DOCS_PAGES.find((each) => pathOf(each) === id)?.label, page)
})

function htmlFiles(): [name: string, html: string][] {
  return readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name, readFileSync(join(folder, 'site', name), 'utf8')])
}

test('states when a page was last changed, where the history is at hand', () => {
  const stated = DOCS_PAGES.filter((page) =>
    /<p class="docs-changed">Last changed on <time datetime="\d{4}-\d\d-\d\d">\w+ \d+, \d{4}<\/time><\/p>/.test(
      readFileSync(join(folder, `site${pathOf(page)}.html`), 'utf8'),
    ),
  )
  const dates = changeDates(DOCS_PAGES.map(({ source }) => source))
  // Most of the reference comes from the code.
  dates.delete(REFERENCE_PAGE.source)
  assert.deepEqual(stated.map(({ source }) => source).sort(), [...dates.keys()].sort())
})
