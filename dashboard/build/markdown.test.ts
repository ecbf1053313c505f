import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type References, renderFragment, renderMarkdown } from './markdown.ts'

const PICTURE = { light: '/assets/a-light.webp', dark: '/assets/a-dark.webp', width: 1200, height: 750 }
const AS_IS: References = { link: (href) => href, picture: () => PICTURE }

test('generates heading ids like GitHub, unique per page', () => {
  const { headings, anchors } = renderMarkdown(
    '# A page\n\n## 400 Invalid parameter\n\n## `limit`, and more\n\n### Again\n\n### Again\n',
    AS_IS,
  )
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['400-invalid-parameter', 'limit-and-more', 'again', 'again-1'],
  )
  assert.ok(anchors.has('a-page'))
})

test('gives a paragraph that names an error kind an id', () => {
  const { html, anchors } = renderMarkdown('# Errors\n\n## 404 Not found\n\nKind `not-found`. Nothing.\n', AS_IS)
  assert.match(html, /<p id="not-found">/)
  assert.ok(anchors.has('not-found'))
})

test('extracts the title, the description and the text of each section', () => {
  const { title, description, sections } = renderMarkdown(
    '# A *fine* page\n\nIt has\ntwo lines.\n\n## Below\n\n- one\n- `two`\n\n```sh\nnpm ci\n```\n',
    AS_IS,
  )
  assert.equal(title, 'A fine page')
  assert.equal(description, 'It has two lines.')
  assert.deepEqual(sections, [
    { id: '', heading: 'A fine page', text: 'It has two lines.', excerpt: 'It has two lines.' },
    { id: 'below', heading: 'Below', text: 'one two npm ci ', excerpt: '' },
  ])
})

test('groups adjacent blocks in different languages into tabs', () => {
  const three = renderFragment('```sh\na\n```\n\n```ts\nb\n```\n\n```python\nc\n```\n')
  assert.deepEqual(
    [...three.matchAll(/role="tab" data-language="(\w+)" aria-selected="(\w+)"/g)].map(([, ...tab]) => tab),
    [
      ['sh', 'true'],
      ['ts', 'false'],
      ['python', 'false'],
    ],
  )
  assert.doesNotMatch(renderFragment('```sh\na\n```\n\n```sh\nb\n```\n'), /role="tab"/)
  assert.doesNotMatch(renderFragment('```sh\na\n```\n\nBut:\n\n```ts\nb\n```\n'), /role="tab"/)
})

test('keeps the text of a link to a file outside of the site', () => {
  const { html } = renderMarkdown('# A\n\nSee [the *walls*](../test/walls.ts) and [b](b.md).\n', {
    ...AS_IS,
    link: (href) => (href === 'b.md' ? '/docs/b' : undefined),
  })
  assert.match(html, /See the <em>walls<\/em> and <a href="\/docs\/b">b<\/a>\./)
})

test('escapes HTML in text, code and tables', () => {
  const html = renderFragment('<b>x</b>\n\n```sh\n<i>\n```\n\n    <u>\n\n| a |\n| - |\n| <s> |\n')
  assert.doesNotMatch(html, /<[bius]>/)
})

test('labels table cells with their column', () => {
  assert.match(renderFragment('| `a` | b |\n| - | - |\n| 1 | 2 |\n'), /data-label="a">1<.*data-label="b">2</s)
})

test('shows a picture in both schemes, with its size and its alternative text, which is searched too', () => {
  const { html, sections } = renderMarkdown('# A\n\nBegin.\n\n![Keys & "names"](a-light.webp)\n', AS_IS)
  const image = (scheme: string) =>
    `<a class="picture picture-${scheme}" href="/assets/a-${scheme}.webp"><img src="/assets/a-${scheme}.webp" alt="Keys &amp; &quot;names&quot;" width="1200" height="750" loading="lazy"></a>`
  assert.ok(html.includes(image('light') + image('dark')), html)
  assert.equal(sections[0].text, 'Begin. Keys & "names"')
})
