import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { manifest, ndjson } from '../../test/support/feeds/publisher.ts'
import { readAll } from '../../test/support/store/temp-store.ts'
import { openSyncedSource } from '../../test/support/sync/synced-source.ts'

const START_MS = Date.UTC(2030, 0, 7, 8)
const FILES = ['/a', '/b', '/c']

/** A line of a Slot file. */
interface Line {
  readonly n: number
  readonly status: string
}

const free = (...numbers: readonly number[]): Line[] => numbers.map((n) => ({ n, status: 'free' }))
const busy = (n: number): Line[] => [{ n, status: 'busy' }]

const fileOf = (lines: readonly Line[]) =>
  ndjson(
    ...lines.map(({ n, status }) => ({
      resourceType: 'Slot',
      id: `slot-${n}`,
      schedule: { reference: 'Schedule/s' },
      status,
      start: new Date(START_MS + n * 900_000).toISOString(),
      end: new Date(START_MS + (n + 1) * 900_000).toISOString(),
    })),
  )

/** A source with three Slot files. */
async function open(t: TestContext) {
  const { publisher, store, sync } = await openSyncedSource(t, {
    '/$bulk-publish': manifest({ '/s': 'Schedule', ...Object.fromEntries(FILES.map((file) => [file, 'Slot'])) }),
    '/s': ndjson({ resourceType: 'Schedule', id: 's', actor: [{ display: 'Clinic' }] }),
    ...Object.fromEntries(FILES.map((file) => [file, ''])),
  })
  await store.sources.setReviewPolicy('clinic', 'nothing')
  const publish = async (...files: readonly (readonly Line[])[]) => {
    for (const [at, lines] of files.entries()) publisher.files[FILES[at]] = fileOf(lines)
    publisher.asked()
    await sync()
    const { read, rejected, withheld } = (await store.sources.find('clinic'))?.watch.lastRead ?? {}
    const slots = [...(await readAll(store)).values()]
    const served = slots.map(({ startMs, status }) => `${(startMs - START_MS) / 900_000} ${status}`).sort()
    return { served, counts: { read, rejected, withheld } }
  }
  return { publisher, publish }
}

test('serves a slot of two files until neither has it', async (t) => {
  for (const remaining of [0, 1]) {
    const { publish } = await open(t)
    await publish(free(1, 2), free(2, 3))
    const other = remaining === 0 ? [free(1, 2), free(3)] : [free(1), free(2, 3)]
    const { served, counts } = await publish(...other)
    assert.deepEqual(served, ['1 free', '2 free', '3 free'])
    assert.deepEqual(counts, { read: 3, rejected: 0, withheld: 0 })
    assert.deepEqual((await publish(free(1), free(3))).served, ['1 free', '3 free'])
  }
})

test('serves a slot that a second file listed for a time', async (t) => {
  for (const count of [1, 5000]) {
    const { publish } = await open(t)
    const others = free(...Array.from({ length: count }, (_, n) => n + 10))
    await publish(free(1), free(2))
    const { counts } = await publish(free(1), [...free(1), ...others])
    assert.deepEqual(counts, { read: 2 + count, rejected: 1, withheld: 0 })
    const { served } = await publish(free(1), free(3))
    assert.deepEqual(served, ['1 free', '3 free'])
  }
})

test('serves a slot that another file came to list before the first dropped it', async (t) => {
  const { publish } = await open(t)
  await publish(free(1, 2), free(3))
  await publish(free(1, 2), free(2, 3))
  assert.deepEqual((await publish(free(1), free(2, 3))).served, ['1 free', '2 free', '3 free'])
})

test('serves a slot as free once no file says that it is busy', async (t) => {
  const { publish } = await open(t)
  assert.deepEqual((await publish(free(1), busy(1))).served, ['1 busy'])
  assert.deepEqual((await publish(free(1), [])).served, ['1 free'])
})

test('does not read a file again that only has slots of the snapshot and withheld lines', async (t) => {
  const { publisher, publish } = await open(t)
  const withheld = [{ n: 7, status: 'entered-in-error' }]
  await publish([...free(1), ...withheld], free(2))
  const { counts } = await publish([...free(1), ...withheld], free(3))
  assert.deepEqual(counts, { read: 3, rejected: 0, withheld: 1 })
  assert.deepEqual(
    publisher.asked().filter((line) => line.startsWith('/a')),
    ['/a 304'],
  )
})

const line = fc.record({
  n: fc.nat({ max: 5 }),
  status: fc.constantFrom('free', 'free', 'busy', 'entered-in-error', 'wrong'),
})
const publication = fc.tuple(...FILES.map(() => fc.option(fc.array(line, { maxLength: 4 }))))

test('serves and counts what all files list, whichever of them have changed', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(publication, { minLength: 2, maxLength: 6 }), async (publications) => {
      const { publish } = await open(t)
      let files: Line[][] = FILES.map(() => [])
      for (const changed of publications) {
        files = files.map((before, at) => changed[at] ?? before)
        const { served, counts } = await publish(...files)
        const lines = files.flat()
        const slots = lines.filter(({ status }) => status === 'free' || status === 'busy')
        const numbers = [...new Set(slots.map(({ n }) => n))]
        const isBusy = (n: number) => slots.some((slot) => slot.n === n && slot.status === 'busy')
        assert.deepEqual(served, numbers.map((n) => `${n} ${isBusy(n) ? 'busy' : 'free'}`).sort())
        const withheld = lines.filter(({ status }) => status === 'entered-in-error').length
        assert.deepEqual(counts, { read: lines.length, rejected: lines.length - withheld - numbers.length, withheld })
      }
    }),
    { numRuns: 25 },
  )
})
