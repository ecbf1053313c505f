import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DOCS_PAGES } from '../dashboard/build/docs-pages.ts'
import { webpSize } from '../dashboard/build/pictures.ts'
import { namedPictures } from './support/named-pictures.ts'
import { ROOT } from './support/source-files.ts'

const FOLDER = join(ROOT, 'docs/screenshots')
/** A page with a picture loads it on a phone, too. */
const BYTES_MAX = 60_000
/** A sentence; for a screen reader not much longer than one. */
const ALT_LENGTHS = { min: 30, max: 150 }

test('docs/screenshots has each picture that a page names in both schemes, and no other', () => {
  const names = new Set(namedPictures().map(({ name }) => name))
  assert.ok(names.size > 5)
  assert.deepEqual(
    readdirSync(FOLDER).sort(),
    [...names].flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]).sort(),
  )
})

test('each picture has an alternative text', () => {
  assert.deepEqual(
    namedPictures().filter(({ alt }) => alt.length < ALT_LENGTHS.min || alt.length > ALT_LENGTHS.max),
    [],
  )
})

test('the pictures are small, and of one size', () => {
  for (const file of readdirSync(FOLDER)) {
    const bytes = readFileSync(join(FOLDER, file))
    assert.ok(bytes.length <= BYTES_MAX, `${file}: ${bytes.length} bytes`)
    assert.deepEqual(webpSize(bytes), { width: 1200, height: 750 }, file)
  }
})

test('the pages that walk through the dashboard show it', () => {
  const pictured = new Set(namedPictures().map(({ page }) => page))
  for (const name of [
    'quickstart',
    'organizations',
    'key-safety',
    'explore',
    'logs',
    'audit',
    'webhooks',
    'self-hosting',
  ]) {
    const source = DOCS_PAGES.find((page) => page.name === name)?.source ?? name
    assert.ok(pictured.has(source), source)
  }
})
