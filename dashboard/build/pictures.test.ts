import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DOCS_PAGES } from './docs-pages.ts'
import { copyPicture, webpSize } from './pictures.ts'

const [OVERVIEW] = DOCS_PAGES
let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'pictures-'))
})

after(() => rmSync(folder, { recursive: true }))

test('copies both schemes of a picture under names with their hashes', () => {
  const { light, dark, ...size } = copyPicture(folder, OVERVIEW, '../screenshots/keys-light.webp')
  assert.match(`${light} ${dark}`, /^\/assets\/keys-light-[\w-]{8}\.webp \/assets\/keys-dark-[\w-]{8}\.webp$/)
  assert.deepEqual(
    readdirSync(join(folder, 'assets'))
      .sort()
      .map((name) => `/assets/${name}`),
    [dark, light],
  )
  assert.deepEqual(size, { width: 1200, height: 750 })
})

test('fails for a picture that is missing, or is named in the dark scheme', () => {
  assert.throws(() => copyPicture(folder, OVERVIEW, '../screenshots/nowhere-light.webp'), /ENOENT/)
  assert.throws(() => copyPicture(folder, OVERVIEW, '../screenshots/keys-dark.webp'), /must be a -light\.webp/)
})

test('reads the size of no file but an extended WebP', () => {
  assert.throws(() => webpSize(Buffer.from('RIFF\0\0\0\0WEBPVP8 ')), /must be extended WebP/)
})
