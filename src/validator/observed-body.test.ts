import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObservedBody } from './observed-body.ts'

async function observe(...pieces: readonly (string | Buffer)[]): Promise<ObservedBody> {
  const body = new ObservedBody()
  async function* sent() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  const seen: Buffer[] = []
  for await (const piece of body.watch(sent())) seen.push(piece)
  assert.deepEqual(Buffer.concat(seen), Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
  return body
}

test('counts line ends of Windows, also where they are cut in two', async () => {
  assert.equal((await observe('a\r\nb\r\n')).returns, 2)
  assert.equal((await observe('a\r', '\nb\r', '\n', 'c\n')).returns, 2)
  assert.equal((await observe('a\rb\n', '\n')).returns, 0)
})

test('sees a byte order mark, a final line feed, and a document over several lines, in pieces of any size', async () => {
  const marked = await observe(Buffer.from([0xef]), Buffer.from([0xbb, 0xbf]), '{"a":1}\n')
  assert.deepEqual([marked.hasByteOrderMark, marked.endsWithNewline, marked.isPretty], [true, true, false])
  const pretty = await observe('\ufeff', '[', '\r\n', '  {"a":1}\n]')
  assert.deepEqual([pretty.hasByteOrderMark, pretty.endsWithNewline, pretty.isPretty], [true, false, true])
  assert.deepEqual(
    [(await observe('{\n "a": 1\n}')).isPretty, (await observe('{}\n{}\n')).isPretty],
    [true, false],
  )
  assert.deepEqual([(await observe()).bytes, (await observe()).endsWithNewline], [0, true])
})
