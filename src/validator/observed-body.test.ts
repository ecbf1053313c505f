import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObservedBody } from './observed-body.ts'

async function observe(...chunks: readonly (string | Buffer)[]): Promise<ObservedBody> {
  const body = new ObservedBody()
  async function* sent() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const seen: Buffer[] = []
  for await (const chunk of body.observe(sent())) seen.push(chunk)
  assert.deepEqual(Buffer.concat(seen), Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))))
  return body
}

test('counts CRLF line endings, also across chunks', async () => {
  assert.equal((await observe('a\r\nb\r\n')).crlfLines, 2)
  assert.equal((await observe('a\r', '\nb\r', '\n', 'c\n')).crlfLines, 2)
  assert.equal((await observe('a\rb\n', '\n')).crlfLines, 0)
})

test('detects a byte order mark, a final line feed and a pretty-printed document in chunks of any size', async () => {
  const marked = await observe(Buffer.from([0xef]), Buffer.from([0xbb, 0xbf]), '{"a":1}\n')
  assert.deepEqual([marked.hasByteOrderMark, marked.endsWithNewline, marked.isPretty], [true, true, false])
  const pretty = await observe('\ufeff', '[', '\r\n', '  {"a":1}\n]')
  assert.deepEqual([pretty.hasByteOrderMark, pretty.endsWithNewline, pretty.isPretty], [true, false, true])
  assert.deepEqual([(await observe('{\n "a": 1\n}')).isPretty, (await observe('{}\n{}\n')).isPretty], [true, false])
  assert.deepEqual([(await observe()).bytes, (await observe()).endsWithNewline], [0, true])
})
