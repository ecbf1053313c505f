import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCS_PAGES, type DocsPage } from './docs-pages.ts'
import { assertNoBrokenLinks, resolveLink, servedMarkdown, withServedAddress } from './links.ts'

const QUICKSTART = pageOf('quickstart')

test('resolves repository files to pages of the site', () => {
  assert.equal(resolveLink(QUICKSTART, 'slots.md#parameters'), '/docs/slots#parameters')
  assert.equal(resolveLink(QUICKSTART, '../errors.md'), '/docs/errors')
  assert.equal(resolveLink(QUICKSTART, 'overview.md'), '/docs')
  assert.equal(resolveLink(pageOf('operations'), '../bench/RESULTS.md'), undefined)
  assert.equal(resolveLink(QUICKSTART, '#below'), '#below')
  assert.equal(resolveLink(QUICKSTART, 'https://example.org/x.md'), 'https://example.org/x.md')
})

test("fills in the service's address on pages for API users only", () => {
  const text = 'curl http://localhost:8080/v1/scheduling/slots'
  assert.equal(withServedAddress(QUICKSTART, text), 'curl __BASE_URL__/v1/scheduling/slots')
  assert.equal(withServedAddress(pageOf('self-hosting'), text), text)
})

test('served Markdown links to Markdown by absolute URLs', () => {
  assert.equal(
    servedMarkdown(
      QUICKSTART,
      '[a](slots.md#a-slot), [b](#c), [d](https://d.example), [e](../../src/main.ts), ![f](f-light.webp)',
      () => ({ light: '/assets/f-light.webp', dark: '/assets/f-dark.webp', width: 1, height: 1 }),
    ),
    '[a](__BASE_URL__/docs/slots.md#a-slot), [b](#c), [d](https://d.example), e, ![f](__BASE_URL__/assets/f-light.webp)',
  )
})

test('lists every broken internal link', () => {
  const pages = [
    {
      path: '/',
      html: '<a href="/docs#there"></a><a href="/app/sign-up"></a><a href="https://x.example"></a>',
    },
    { path: '/docs', html: '<h2 id="there"></h2><a href="#there"></a><a href="/docs.md"></a>' },
  ]
  assertNoBrokenLinks(pages, new Set(['/docs.md']))
  const broken = [...pages, { path: '/b', html: '<a href="/gone"></a><a href="/docs#gone"></a><a href="#x"></a>' }]
  assert.throws(() => assertNoBrokenLinks(broken, new Set(['/docs.md'])), /\/b: \/gone, \/b: \/docs#gone, \/b: #x$/)
})

function pageOf(name: string): DocsPage {
  const page = DOCS_PAGES.find((each) => each.name === name)
  assert.ok(page)
  return page
}
