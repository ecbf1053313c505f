import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressAssets } from '../../../dashboard/build/compress-assets.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import type { StaticFile } from '../show-file.ts'
import type { Addresses } from './fill-in.ts'
import { withGuess } from './guess-page.ts'
import { readSite, type Site } from './site.ts'

const ADDRESSES = {
  baseUrl: 'https://slots.example',
  dashboardUrl: 'https://slots.example/?a=1&b="2"',
  docsUrl: 'https://docs.example/',
}

const BUILT: Readonly<Record<string, string>> = {
  'app.html': '<p>app __BASE_URL__',
  '.built-from': 'secret',
  'color-scheme.js': 'scheme',
  'assets/main-abc.js': `main "__BASE_URL__" ${'x'.repeat(5000)}`,
  'assets/picture-abc.png': 'y'.repeat(5000),
  'site/index.html': '<a href="__DASHBOARD_URL__">front</a>',
  'site/docs.html': 'docs',
  'site/docs.md': 'docs as text',
  'site/docs/errors.html': `<p>__DOCS_URL__ ${'z'.repeat(2000)}`,
  'site/docs/errors.md': 'curl __BASE_URL__/v1',
  'site/llms.txt': '__BASE_URL__',
  'site/404.html': 'nothing',
}

async function siteOf(t: TestContext, files = BUILT, addresses: Addresses = ADDRESSES): Promise<Site> {
  const folder = tempFolder(t)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return readSite(folder, addresses)
}

function mustFind(site: Site, path: string): StaticFile {
  const file = site.find(path)
  assert.ok(file, path)
  return file
}

const textAt = (site: Site, path: string) => mustFind(site, path).contents.identity.body.toString()

test('serves each file at its path with the type of its extension', async (t) => {
  const site = await siteOf(t)
  const expected: [string, string, RegExp][] = [
    ['/', 'text/html; charset=utf-8', /front/],
    ['/docs', 'text/html; charset=utf-8', /^docs$/],
    ['/docs.md', 'text/markdown; charset=utf-8', /as text/],
    ['/docs/errors', 'text/html; charset=utf-8', /^<p>/],
    ['/docs/errors.md', 'text/markdown; charset=utf-8', /^curl/],
    ['/llms.txt', 'text/plain; charset=utf-8', /slots/],
    ['/color-scheme.js', 'text/javascript; charset=utf-8', /scheme/],
    ['/assets/main-abc.js', 'text/javascript; charset=utf-8', /main/],
    ['/assets/picture-abc.png', 'image/png', /y/],
  ]
  for (const [path, type, text] of expected) {
    const { status, headers } = mustFind(site, path)
    assert.deepEqual([status, headers['content-type']], [200, type], path)
    assert.match(textAt(site, path), text, path)
  }
  assert.equal(site.notFound?.contents.identity.body.toString(), 'nothing')
})

test('lets Explore alone ask for the position of the visitor', async (t) => {
  const site = await siteOf(t)
  const policy = (path: string) => mustFind(site, path).headers['permissions-policy']
  assert.match(policy('/app/explore'), /geolocation=\(self\)/)
  assert.match(textAt(site, '/app/explore'), /^<p>app/)
  for (const path of ['/app', '/app/explore/x', '/app/account', '/'])
    assert.match(policy(path), /geolocation=\(\)/, path)
})

test('serves the dashboard below /app, and 404 for other unknown paths', async (t) => {
  const site = await siteOf(t)
  for (const path of ['/app', '/app/', '/app/sign-in', '/app/o/x/keys', '/app/../../etc/passwd']) {
    assert.match(textAt(site, path), /^<p>app/, path)
  }
  for (const path of [
    '/index',
    '/404',
    '/.built-from',
    '/site/index.html',
    '/app.html',
    '/apple',
    '/../package.json',
    '/docs/errors.html',
    '/assets',
    '__proto__',
  ]) {
    assert.equal(site.find(path), undefined, path)
  }
})

test('inserts the configured addresses into pages, escaped by file type, and not into assets', async (t) => {
  const site = await siteOf(t)
  assert.equal(textAt(site, '/'), '<a href="https://slots.example/?a=1&amp;b=&quot;2&quot;">front</a>')
  assert.equal(textAt(site, '/app'), '<p>app https://slots.example')
  assert.equal(textAt(site, '/docs/errors.md'), 'curl https://slots.example/v1')
  assert.match(textAt(site, '/assets/main-abc.js'), /__BASE_URL__/)
})

test('leads to the dashboard at its own origin, where alone people can sign in', async (t) => {
  const files = {
    'app.html': '',
    'site/index.html': '<a href="/app"></a><a href="/app/sign-up"></a><a href="/apple-touch-icon.png"></a>',
    'site/llms.txt': '__BASE_URL__/app/sign-up, __BASE_URL__/docs',
  }
  const apart = { ...ADDRESSES, dashboardUrl: 'https://dashboard.example/' }
  const site = await siteOf(t, files, apart)
  assert.equal(
    textAt(site, '/'),
    '<a href="https://dashboard.example/app"></a><a href="https://dashboard.example/app/sign-up"></a>' +
      '<a href="/apple-touch-icon.png"></a>',
  )
  assert.equal(textAt(site, '/llms.txt'), 'https://dashboard.example/app/sign-up, https://slots.example/docs')
  assert.equal(mustFind(site, '/login').headers.location, 'https://dashboard.example/app/sign-in')
  assert.equal(mustFind(site, '/pricing').headers.location, '/docs/limits')
  const together = await siteOf(t, files)
  assert.equal(textAt(together, '/'), files['site/index.html'])
  assert.equal(textAt(together, '/llms.txt'), 'https://slots.example/app/sign-up, https://slots.example/docs')
  assert.equal(mustFind(together, '/login').headers.location, '/app/sign-in')
})

test('inserts the path of the counts unless they are private', async (t) => {
  const files = { 'app.html': '', 'site/index.html': '<p data-counts="__COUNTS_PATH__">' }
  const frontOf = async (more: object) => textAt(await siteOf(t, files, { ...ADDRESSES, ...more }), '/')
  assert.equal(await frontOf({ publicCounts: true }), '<p data-counts="/counts.json">')
  assert.equal(await frontOf({ publicCounts: false }), '<p data-counts="">')
})

test('inserts who runs the service, escaped by file type', async (t) => {
  const service = {
    name: 'Acme & "Söhne"',
    contact: 'mailto:help@acme.example?subject=Slots',
    privacyUrl: 'https://acme.example/privacy?a=1&b=2',
    statusUrl: 'https://slots.example/status',
  }
  const files = {
    'app.html': '<meta content="__SERVICE_IDENTITY__"><title>__SERVICE_NAME__</title>',
    'site/index.html': '<ul>__OPERATOR_LINKS__</ul>__OPERATOR_CONTACT__<p>__PRODUCT_NOTE__</p>__UNKNOWN_MARK__',
    'site/llms.txt': '# __SERVICE_NAME__\n__OPERATOR_LINKS__',
  }
  const site = await siteOf(t, files, { ...ADDRESSES, service })
  const app = textAt(site, '/app')
  assert.match(app, /<title>Acme &amp; &quot;Söhne&quot;<\/title>/)
  const [, content] = /content="([^"]*)"/.exec(app) ?? []
  assert.deepEqual(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')), service)
  assert.equal(
    textAt(site, '/'),
    '<ul><li><a href="https://slots.example/status">Status</a></li>\n' +
      '<li><a href="https://acme.example/privacy?a=1&amp;b=2">Privacy</a></li>\n' +
      '<li><a href="mailto:help@acme.example?subject=Slots">Contact</a></li>\n</ul>' +
      '<p>Need help? Contact <a href="mailto:help@acme.example?subject=Slots">help@acme.example</a>.</p>\n' +
      '<p>Runs Scheduling Slots, open source under Apache-2.0.</p>__UNKNOWN_MARK__',
  )
  assert.match(textAt(site, '/llms.txt'), /^# Acme & "Söhne"\n- Status: https:\/\/slots\.example\/status\n- Privacy: /)
  const plain = await siteOf(t, files)
  assert.equal(textAt(plain, '/'), '<ul></ul><p>Open source under Apache-2.0.</p>__UNKNOWN_MARK__')
})

test('redirects addresses that people try, also to the pages of the operator', async (t) => {
  const service = { name: 'Acme', termsUrl: 'https://acme.example/terms' }
  const site = await siteOf(t, BUILT, { ...ADDRESSES, service })
  const { status, headers } = mustFind(site, '/pricing')
  assert.deepEqual([status, headers.location], [302, '/docs/limits'])
  assert.equal(mustFind(site, '/terms').headers.location, 'https://acme.example/terms')
  assert.equal(site.find('/privacy'), undefined)
})

test('guesses the page that a wrong address means', async (t) => {
  const page = (title: string) => `<title>${title} · __SERVICE_NAME__</title>`
  const site = await siteOf(t, {
    ...BUILT,
    'site/docs/errors.html': page('Errors'),
    'site/docs/limits.html': page('Limits &amp; pricing'),
    'site/docs/key-safety.html': page('Keeping keys safe'),
    'site/status.html': page('Status'),
  })
  const guesses: [string, string | undefined][] = [
    ['/errors', '/docs/errors'],
    ['/docs/erors/', '/docs/errors'],
    ['/docs/Limit.html', '/docs/limits'],
    ['/plans/pricing', '/docs/limits'],
    ['/docs/keys', '/docs/key-safety'],
    ['/docs/api-keyz', '/docs/key-safety'],
    ['/docs/safety-errrs', '/docs/errors'],
    ['/wp-admin', undefined],
    ['/wp-login.php', undefined],
    ['/state', undefined],
    ['/x', undefined],
    [`/${'e'.repeat(60)}`, undefined],
  ]
  for (const [path, expected] of guesses) assert.equal(site.guess(path)?.path, expected, path)
  assert.equal(site.guess('/docs/limit')?.title, 'Limits & pricing')
  const html = withGuess(Buffer.from('<h1>404</h1><!-- guess -->'), { path: '/docs/a', title: '<b> & $&' })
  assert.equal(html.toString(), '<h1>404</h1><p>Did you mean <a href="/docs/a">&lt;b&gt; &amp; $&amp;</a>?</p>')
})

test('caches assets forever, the dashboard never, and pages while unchanged', async (t) => {
  const site = await siteOf(t)
  const caching = (path: string) => mustFind(site, path).headers['cache-control']
  assert.equal(caching('/assets/main-abc.js'), 'public, max-age=31536000, immutable')
  assert.equal(caching('/app/x'), 'no-store')
  for (const path of ['/', '/docs', '/docs/errors.md', '/color-scheme.js']) {
    assert.equal(caching(path), 'no-cache')
  }
})

test('sends a Content-Security-Policy that forbids inline scripts with every file', async (t) => {
  const site = await siteOf(t)
  for (const path of ['/', '/app', '/docs', '/assets/main-abc.js']) {
    const { headers } = mustFind(site, path)
    const policy = headers['content-security-policy']
    assert.match(policy, /default-src 'self'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'$/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  }
  const plain = await siteOf(t, BUILT, { ...ADDRESSES, baseUrl: 'http://localhost:8080' })
  assert.equal(mustFind(plain, '/').headers['strict-transport-security'], undefined)
})

test('compresses a large page after its first request, with one ETag per coding', async (t) => {
  const site = await siteOf(t)
  assert.equal(mustFind(site, '/docs/errors').contents.br, undefined)
  await site.stop()
  const { identity, br, gzip } = mustFind(site, '/docs/errors').contents
  assert.ok(br && gzip)
  assert.deepEqual(brotliDecompressSync(br.body), identity.body)
  assert.deepEqual(gunzipSync(gzip.body), identity.body)
  assert.ok(br.body.length < identity.body.length / 2)
  assert.equal(new Set([identity.etag, br.etag, gzip.etag]).size, 3)
  for (const path of ['/docs', '/assets/picture-abc.png']) {
    mustFind(site, path)
    await site.stop()
    assert.equal(mustFind(site, path).contents.br, undefined, path)
  }
})

test('serves the compressed copies that the build made, and inflates one for a client without compression', async (t) => {
  const folder = tempFolder(t)
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries(BUILT))
    if (!name.includes('/') || name.startsWith('assets/')) writeFileSync(join(folder, name), text)
  compressAssets(join(folder, 'assets'))
  const site = await readSite(folder, ADDRESSES)
  const { identity, br, gzip } = mustFind(site, '/assets/main-abc.js').contents
  assert.ok(br && gzip)
  assert.equal(identity.body.toString(), BUILT['assets/main-abc.js'])
  assert.deepEqual([brotliDecompressSync(br.body), gunzipSync(gzip.body)], [identity.body, identity.body])
  assert.equal(new Set([identity.etag, br.etag, gzip.etag]).size, 3)
  assert.equal(site.find('/assets/main-abc.js.br'), undefined)
  assert.equal(mustFind(site, '/assets/picture-abc.png').contents.br, undefined)
})

test('keeps the ETag of a file across restarts and changes it with the content', async (t) => {
  const etag = async (files: Readonly<Record<string, string>>) =>
    mustFind(await siteOf(t, files), '/docs').contents.identity.etag
  assert.equal(await etag(BUILT), await etag(BUILT))
  assert.notEqual(await etag(BUILT), await etag({ ...BUILT, 'site/docs.html': 'other' }))
})

test('explains how to build the site if there is no build', async (t) => {
  for (const files of [{}, { 'site/index.html': 'half' }]) {
    const site = await siteOf(t, files)
    for (const path of ['/', '/docs', '/docs/errors', '/app', '/app/sign-in']) {
      const { status, headers } = mustFind(site, path)
      assert.deepEqual([status, headers['content-type']], [503, 'text/plain; charset=utf-8'])
      assert.match(textAt(site, path), /npm run build/)
    }
    assert.equal(site.notFound, undefined)
  }
  assert.equal((await readSite('/nowhere/at/all', ADDRESSES)).find('/')?.status, 503)
})
