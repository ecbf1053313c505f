import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fingerprint, LINE_BYTES_MAX, readLines } from './lines.ts'

async function* pieces(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

async function linesOf(body: AsyncIterable<Buffer>): Promise<{ line: number; text: string; overlong: boolean }[]> {
  const read: { line: number; text: string; overlong: boolean }[] = []
  for await (const { first, lines, overlong } of readLines(body))
    read.push(...lines.map((line, at) => ({ line: first + at, text: line.toString(), overlong: overlong.has(at) })))
  return read
}

const textsOf = async (body: AsyncIterable<Buffer>) => (await linesOf(body)).map(({ text }) => text)

test('splits at \\n and \\r\\n, with or without a final line end', async () => {
  assert.deepEqual(await textsOf(pieces('a\nb\r\nc')), ['a', 'b', 'c'])
  assert.deepEqual(await textsOf(pieces('a\nb\n')), ['a', 'b'])
  assert.deepEqual(await textsOf(pieces('a\r', '\nb\r\n')), ['a', 'b'])
})

test('counts blank lines', async () => {
  const lines = await linesOf(pieces('\n\na\n  \nb'))
  assert.deepEqual(
    lines.map(({ line, text }) => [line, text]),
    [
      [1, ''],
      [2, ''],
      [3, 'a'],
      [4, '  '],
      [5, 'b'],
    ],
  )
})

test('removes a byte order mark, also across chunks', async () => {
  assert.deepEqual(await textsOf(pieces('\ufeffa\nb')), ['a', 'b'])
  assert.deepEqual(await textsOf(pieces(Buffer.from([0xef, 0xbb]), Buffer.from([0xbf, 0x61, 10]))), ['a'])
})

test('yields nothing for an empty file', async () => {
  assert.deepEqual(await textsOf(pieces()), [])
  assert.deepEqual(await textsOf(pieces('')), [])
})

test('splits the same lines for any chunk boundaries', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' '), maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (text, size) => {
      const whole = Buffer.from(text)
      const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      )
      const expected = text.split('\n').map((line) => line.replace(/\r$/, ''))
      if (text === '' || text.endsWith('\n')) expected.pop()
      assert.deepEqual(await textsOf(pieces(...parts)), expected)
    }),
  )
})

test('keeps only the beginning of a line over 1 MiB and continues after it', async () => {
  const long = 'x'.repeat(LINE_BYTES_MAX + 1)
  for (const body of [
    pieces(`a\n${long}\nb`),
    pieces('a\n', long.slice(0, 700_000), long.slice(700_000), long, '\nb'),
  ]) {
    const lines = await linesOf(body)
    assert.deepEqual(
      lines.map(({ line, overlong }) => [line, overlong]),
      [
        [1, false],
        [2, true],
        [3, false],
      ],
    )
    assert.ok(lines[1].text.startsWith('xxx') && lines[1].text.length < 10_000)
  }
})

test('accepts a line of exactly 1 MiB', async () => {
  const [line] = await linesOf(pieces('x'.repeat(LINE_BYTES_MAX), '\n'))
  assert.deepEqual([line.overlong, line.text.length], [false, LINE_BYTES_MAX])
})

test('joins a line that comes byte by byte', async () => {
  const bytes = Array.from({ length: 5000 }, () => 'y')
  assert.deepEqual(await textsOf(pieces(...bytes)), ['y'.repeat(5000)])
})

test('a fingerprint is an integer below 2^52, the same for the same line of the same part', () => {
  for (let at = 0; at < 1000; at++) {
    const mark = fingerprint(Buffer.from(`line ${at}`), at % 7)
    assert.ok(Number.isSafeInteger(mark) && mark >= 0 && mark < 2 ** 52)
    assert.equal(mark, fingerprint(Buffer.from(`line ${at}`), at % 7))
  }
})

test('a fingerprint differs from line to line and from part to part', () => {
  const marks = new Set<number>()
  for (let at = 0; at < 2000; at++) {
    for (let part = 0; part < 50; part++) marks.add(fingerprint(Buffer.from(`line ${at}`), part))
  }
  assert.equal(marks.size, 100_000)
})

test('frees large chunks once their lines were read, but none that shares its memory', async () => {
  const text = `${'x'.repeat(999)}\n`.repeat(50)
  const own = Buffer.from(new TextEncoder().encode(`${text}first half`))
  const shared = Buffer.from(new TextEncoder().encode(`, second half\n${text}end`)).subarray(0, -1)
  const read = await textsOf(
    (async function* () {
      yield own
      yield shared
    })(),
  )
  assert.equal(read.join('\n'), `${text}first half, second half\n${text}en`)
  assert.equal(own.length, 0)
  assert.equal(shared.length, text.length + 16)
})
