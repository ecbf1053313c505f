import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { place, schedule, slot } from '../../../test/support/feeds/smart-links-reader.ts'
import { type EncodedSlot, encoded, type Slot } from '../../slot/slot.ts'
import { FeedFailure, type Origin, type Rejected } from '../connector.ts'
import { Directory } from '../fhir/directory.ts'
import { LINE_BYTES_MAX } from '../http/lines.ts'
import { SlotFiles, type SlotLineCounts } from './slot-files.ts'

/** All that was reported, in order. */
class ReportedDraft extends RecordedDraft {
  readonly reports: unknown[] = []

  override put(slot: Slot, origin: Origin): void {
    this.putEncoded(encoded(slot), origin)
  }

  putEncoded(slot: EncodedSlot, origin: Origin): void {
    this.reports.push({ slot, origin })
  }

  override reject(rejected: Rejected): void {
    this.reports.push({ rejected })
  }
}

const directory = new Directory('clinic', false)
directory.put('Location', place('l1'))
directory.put('Schedule', schedule('s1', 'l1'))
directory.put('Schedule', { ...schedule('tests', 'l1'), meta: { security: [{ code: 'HTEST' }] } })

const FILES = [
  { url: 'https://clinic.example/x1', types: ['Slot'], part: 1 },
  { url: 'https://clinic.example/x2', types: ['Slot', 'Location'], part: 2 },
]

/** Reads both files. The lines of a feed beyond `hereBytesMax` are read in a thread. */
async function read(files: readonly (readonly Buffer[])[], hereBytesMax: number) {
  const draft = new ReportedDraft()
  const reader = new SlotFiles({ directory, draft, lineKey: 'key', signal: new AbortController().signal, hereBytesMax })
  const counts: SlotLineCounts[] = []
  try {
    for (const [at, chunks] of files.entries()) counts.push(await reader.read(FILES[at], chunksOf(chunks), false))
  } finally {
    await reader.close()
  }
  return { reports: draft.reports, withheld: draft.counts.withheld, counts }
}

/** Copies, because readers take over the chunks. */
async function* chunksOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(new Uint8Array(chunk).buffer)
}

/** Streams join small chunks. A thread takes minutes to receive an overlong line byte by byte. */
const PIECES_MAX = 5000

const ids = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const lines = fc.oneof(
  { arbitrary: ids.map((id) => JSON.stringify(slot(id))), weight: 8 },
  ids.map((id) => JSON.stringify(slot(id, { status: 'busy', appointmentType: { text: `Ärztin ${id} 🩺` } }))),
  ids.map((id) => JSON.stringify(slot(id, { schedule: { reference: 'Schedule/tests' } }))),
  ids.map((id) => JSON.stringify(slot(id, { schedule: { reference: `Schedule/${id}` } }))),
  ids.map((id) => JSON.stringify(slot(id, { status: 'entered-in-error' }))),
  fc.constantFrom('', '  ', '{', 'null', '{"resourceType":"Location"}', `"${'x'.repeat(LINE_BYTES_MAX)}"`),
)
const files = fc.array(
  fc
    .tuple(fc.array(lines, { maxLength: 200 }), fc.integer({ min: 1, max: 100_000 }), fc.constantFrom('\n', '\r\n'))
    .map(([texts, size, end]) => {
      const text = Buffer.from(texts.join(end))
      return piecesOf(text, Math.max(size, Math.ceil(text.length / PIECES_MAX)))
    }),
  { minLength: 2, maxLength: 2 },
)

function piecesOf(text: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.subarray(n * size, (n + 1) * size))
}

test('reports the same from another thread, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: -1, max: 20_000 }), async (files, hereBytesMax) => {
      assert.deepEqual(await read(files, hereBytesMax), await read(files, Number.POSITIVE_INFINITY))
    }),
    { numRuns: 10 },
  )
})

test('fails if the feed breaks off while another thread reads it', async () => {
  const draft = new ReportedDraft()
  const signal = new AbortController().signal
  const reader = new SlotFiles({ directory, draft, lineKey: 'key', signal, hereBytesMax: -1 })
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify(slot('a'))}\n`)
    throw new Error('the connection was reset')
  }
  await assert.rejects(reader.read(FILES[0], broken(), false), /the connection was reset/)
  await reader.close()
})

test('fails on a web page, also in another thread', async () => {
  const page = Buffer.from('<!doctype html>')
  for (const hereBytesMax of [-1, Number.POSITIVE_INFINITY])
    await assert.rejects(read([[page], []], hereBytesMax), (error) => {
      assert.ok(error instanceof FeedFailure)
      assert.equal(error.message, 'Cannot read https://clinic.example/x1: it must be NDJSON: got a web page')
      return true
    })
})

test('fails if the thread ends', async () => {
  const draft = new ReportedDraft()
  const signal = new AbortController().signal
  const reader = new SlotFiles({ directory, draft, lineKey: 'key', signal, hereBytesMax: -1 })
  async function* body(): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(300_000, `${JSON.stringify(slot('a'))}\n`)
      void reader.close()
    }
  }
  await assert.rejects(reader.read(FILES[0], body(), false), /their thread ended/)
})
