import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordedDraft } from '../../test/support/feeds/recorded-draft.ts'
import { FeedFailure } from './connector.ts'
import { DirectorySize } from './directory-size.ts'
import { Directory } from './fhir/directory.ts'
import { DirectoryLineReader } from './smart-links/line-reader.ts'

test('a directory has at most two million resources', () => {
  const size = new DirectorySize()
  for (let n = 0; n < 2_000_000; n++) size.add(10, 'Location.ndjson')
  assert.throws(() => size.add(10, 'Location.ndjson'), {
    name: 'FeedFailure',
    message:
      'Cannot read Location.ndjson: resources other than Slots must be at most 2000000 resources in total. Remove those that no Slot needs, or split the feed',
  })
})

test('a directory has at most 256 MiB', () => {
  const size = new DirectorySize()
  size.add(2 ** 28, 'Location.ndjson')
  assert.throws(() => size.add(1, 'Location.ndjson'), /must be at most 268435456 bytes in total/)
})

test('counts the lines of all files of a feed, invalid ones as well', () => {
  const size = new DirectorySize()
  for (let n = 0; n < 1_999_998; n++) size.add(10, 'Location.ndjson')
  const file = { url: 'https://clinic.test/Location.ndjson', types: ['Location'] }
  const read = (...texts: string[]) => {
    const lines = new DirectoryLineReader(file, new Directory('clinic', false), new RecordedDraft(), size)
    lines.take({ first: 1, lines: texts.map((text) => Buffer.from(text)), overlong: new Set() })
  }
  read('{"id":"1"}', 'not json')
  assert.throws(() => read('{"id":"2"}'), FeedFailure)
})
