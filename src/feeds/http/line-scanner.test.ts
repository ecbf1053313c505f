import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { HASHED_BYTES_MAX, KEY_BYTES } from './line-scan.ts'
import { LineScanner, newLineKey, type ScannedLines } from './line-scanner.ts'
import { fingerprint, LINE_BYTES_MAX, partMask, readLines } from './lines.ts'

const KEY = 'a key'
const PART = 3

interface SplitLine {
  readonly line: number
  readonly text: string
  readonly isOverlong: boolean
}

/** Copies, because readers take over the chunks. */
async function* copies(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(new Uint8Array(chunk).buffer)
}

function scanned(chunks: readonly Buffer[], scanner = new LineScanner(KEY), part = PART) {
  const lines: (SplitLine & { fingerprint: number })[] = []
  const add = (batches: Iterable<ScannedLines>) => {
    for (const batch of batches) {
      for (let at = 0; at < batch.count; at++) {
        const text = batch.line(at).toString('latin1')
        const isOverlong = batch.isOverlong(at)
        lines.push({ line: batch.first + at, text, isOverlong, fingerprint: batch.fingerprint(at) })
      }
    }
  }
  scanner.startFile(part)
  for (const chunk of chunks) add(scanner.scan(chunk))
  add(scanner.end())
  return lines
}

async function split(chunks: readonly Buffer[]): Promise<SplitLine[]> {
  const lines: SplitLine[] = []
  for await (const { first, lines: batch, overlong } of readLines(copies(chunks)))
    for (const [at, line] of batch.entries())
      lines.push({ line: first + at, text: line.toString('latin1'), isOverlong: overlong.has(at) })
  return lines
}

/** The multilinear hash in its plainest form. Slow on purpose. */
function naiveFingerprint(text: string, part: number): number {
  const line = Buffer.from(text, 'latin1')
  if (line.length > HASHED_BYTES_MAX) return fingerprint(line, part)
  const keys = createHash('shake256', { outputLength: KEY_BYTES }).update(KEY).digest()
  const padded = Buffer.alloc(Math.ceil(line.length / 4) * 4)
  line.copy(padded)
  const terms = [1, line.length]
  for (let at = 0; at < padded.length; at += 4) terms.push(padded.readUInt32LE(at))
  const sumOf = (first: number) =>
    BigInt.asUintN(
      64,
      terms.reduce((sum, term, n) => sum + BigInt(term) * keys.readBigUInt64LE(16 * n + first), 0n),
    )
  const hashed = ((sumOf(0) >> 38n) << 26n) | (sumOf(8) >> 38n)
  return Number(hashed ^ BigInt(partMask(part) >>> 0))
}

const beginnings = fc.constantFrom('', '\ufeff', '\ufeff\ufeff')
const ends = fc.constantFrom('\n', '\r\n', '\r', '\n\n')
const shortTexts = fc.string({ unit: 'binary', maxLength: 60 })
const longTexts = fc
  .tuple(fc.constantFrom('x', 'é\r', '\ufeff'), fc.integer({ min: 1, max: 90_000 }))
  .map(([unit, count]) => unit.repeat(count))
const texts = fc
  .tuple(beginnings, fc.array(fc.tuple(fc.oneof({ arbitrary: shortTexts, weight: 9 }, longTexts), ends)))
  .map(([beginning, lines]) => beginning + lines.flat().join(''))
  .chain((text) => fc.constantFrom(text, text.slice(0, -1)))
const sizes = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1000, max: 200_000 }))

function piecesOf(text: Buffer, size: number): Buffer[] {
  const least = Math.max(size, Math.ceil(text.length / 5000))
  return Array.from({ length: Math.ceil(text.length / least) }, (_, n) => text.subarray(n * least, (n + 1) * least))
}

test('splits like readLines(), and hashes like the naive sum', async () => {
  const scanner = new LineScanner(KEY)
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (text, size) => {
      const chunks = piecesOf(Buffer.from(text), size)
      const expected = await split(chunks)
      assert.deepEqual(
        scanned(chunks, scanner),
        expected.map((line) => ({ ...line, fingerprint: naiveFingerprint(line.text, PART) })),
      )
    }),
  )
})

test('keeps only the beginning of a line over 1 MiB and continues after it', () => {
  const longest = 'x'.repeat(LINE_BYTES_MAX)
  for (const size of [1000, 65_536, 3_000_000]) {
    const chunks = piecesOf(Buffer.from(`${longest}\n${longest}x\n${longest}${longest}${longest}\r\nb`), size)
    assert.deepEqual(
      scanned(chunks).map(({ line, text, isOverlong }) => [line, text.length, isOverlong]),
      [
        [1, LINE_BYTES_MAX, false],
        [2, 2048, true],
        [3, 2048, true],
        [4, 1, false],
      ],
    )
  }
})

test('gives lines that differ in one bit, in their length or in their file different fingerprints', () => {
  const line = Buffer.alloc(500, 'a')
  const changed = Array.from(line, (_, at) => Buffer.from(line).fill('b', at, at + 1))
  const shorter = Array.from(line, (_, at) => line.subarray(at))
  const zeros = Array.from({ length: 64 }, (_, length) => Buffer.alloc(length))
  const chunks = [...changed, ...shorter, ...zeros].map((each) => Buffer.concat([each, Buffer.from('\n')]))
  const seen = new Set<number>()
  for (const part of [0, 1]) {
    const read = scanned(chunks, new LineScanner(KEY), part)
    for (const { fingerprint } of read) seen.add(fingerprint)
  }
  assert.equal(seen.size, 2 * chunks.length)
  assert.ok(
    [...seen].every((fingerprint) => Number.isSafeInteger(fingerprint) && fingerprint >= 0 && fingerprint < 2 ** 52),
  )
})

test('gives each source fingerprints of its own', () => {
  const chunks = [Buffer.from('a line\n')]
  const [one, other] = [new LineScanner(newLineKey()), new LineScanner(newLineKey())]
  assert.notEqual(scanned(chunks, one)[0].fingerprint, scanned(chunks, other)[0].fingerprint)
})
