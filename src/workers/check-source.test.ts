import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, Publisher } from '../../test/support/feeds/publisher.ts'
import { MANIFEST_FILES_SHOWN_MAX, sourceChecker } from './check-source.ts'

const check = sourceChecker({ allowPrivate: true })

/** The report about a manifest with this text. */
async function checked(text: string) {
  await using publisher = await Publisher.open({ '/$bulk-publish': text })
  return { publisher: publisher.origin, ...(await check(`${publisher.origin}/$bulk-publish`)) }
}

test('reports the files of a manifest with their states, and reads none of the files', async () => {
  const output = [
    { type: 'Slot', url: '/ma.ndjson', extension: { state: ['MA', 'NH'] } },
    { type: 'Slot', url: '/ct.ndjson', extension: { state: 'CT' } },
    { type: 'Location', url: '/all.ndjson', extension: null },
    { type: 'Patient', url: '/nobody.ndjson' },
  ]
  await using publisher = await Publisher.open({ '/$bulk-publish': manifest({}, { output }) })
  const found = await check(`${publisher.origin}/$bulk-publish`)
  assert.deepEqual(found, {
    ok: true,
    message: 'The manifest lists 3 files, published 2026-03-01T00:00:00.000Z: 2 Slot, 1 Location.',
    files: [
      { type: 'Slot', url: `${publisher.origin}/ma.ndjson`, states: ['MA', 'NH'] },
      { type: 'Slot', url: `${publisher.origin}/ct.ndjson`, states: ['CT'] },
      { type: 'Location', url: `${publisher.origin}/all.ndjson`, states: [] },
    ],
  })
  assert.deepEqual(publisher.asked(), ['/$bulk-publish 200'])
})

test('points out a manifest without Slot files', async () => {
  const { ok, message } = await checked(manifest({ '/a.ndjson': 'Location' }))
  assert.ok(ok)
  assert.match(message, /lists no Slot file, only 1 Location/)
})

test('limits the number of files shown', async () => {
  const output = Array.from({ length: MANIFEST_FILES_SHOWN_MAX + 1 }, (_, n) => ({
    type: 'Slot',
    url: `/${n}.ndjson`,
  }))
  const { files, message } = await checked(manifest({}, { output }))
  assert.equal(files.length, MANIFEST_FILES_SHOWN_MAX)
  assert.match(message, new RegExp(`${MANIFEST_FILES_SHOWN_MAX + 1} Slot`))
})

test('reports why a malformed manifest cannot be read', async () => {
  for (const text of ['<html>', '[]', '{}', '{"output":[{"type":"Slot","url":"ftp://a/"}]}']) {
    const { ok, message, files } = await checked(text)
    assert.deepEqual([ok, files], [false, []], text)
    assert.match(message, /^Cannot read manifest: .+\.$/)
  }
})

test('reports the status of a failed request', async () => {
  await using publisher = await Publisher.open({})
  const missing = await check(`${publisher.origin}/none`)
  assert.equal(missing.message, `Cannot read ${publisher.origin}/none: status must be 200: got "404".`)
})

test('does not access private addresses unless allowed', async () => {
  await using publisher = await Publisher.open({ '/$bulk-publish': manifest({}) })
  const { ok, message } = await sourceChecker({ allowPrivate: false })(`${publisher.origin}/$bulk-publish`)
  assert.equal(ok, false)
  assert.match(message, /public/)
  assert.deepEqual(publisher.asked(), [])
})
