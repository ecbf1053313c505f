import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { outcomeOf } from '../../../test/support/store/conformance/samples.ts'
import { openTempStore } from '../../../test/support/store/temp-store.ts'
import type { Store } from '../../store/contracts/store.ts'
import { type ImportOptions, ImportRefused, importFile } from './import-file.ts'

const HEAD = 'id,start,end,location.city\n'
const row = (id: number, city = 'Lynn') =>
  `${id},2030-01-07T${String(10 + (id % 10)).padStart(2, '0')}:${String(id % 60).padStart(2, '0')}:00Z,2030-01-08T10:00:00Z,${city}\n`
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n)).join('')

interface Harness {
  readonly store: Store
  take(text: string, more?: Partial<ImportOptions>): ReturnType<typeof importFile>
  served(): Promise<string[]>
}

async function openBed(t: TestContext): Promise<Harness> {
  const store = await openTempStore(t)
  return {
    store,
    take: (text, more = {}) =>
      importFile(
        { store, clock: Date.now, signal: AbortSignal.timeout(60_000) },
        {
          slug: 'clinic',
          dryRun: false,
          file: { name: 'slots.csv', open: () => Readable.from([Buffer.from(text)]) },
          ...more,
        },
      ),
    async served() {
      const changes = await store.revisionFeed.open(undefined)
      const slots: string[] = []
      for await (const piece of changes.inserted()) slots.push(...piece.map(({ json }) => json))
      await changes.close()
      return slots
    },
  }
}

test('a dry run reports the result and changes nothing, not even adding the source', async (t) => {
  const { store, take, served } = await openBed(t)
  const report = await take(`${HEAD}${row(1)}${row(1)}${row(2)}bad,x,y,z\n`, { dryRun: true })
  const { outcome, read, slots, rejected, slotsBefore, changes, samples, rejections } = report
  assert.deepEqual([outcome, read, slots, rejected, slotsBefore, changes], ['partial', 4, 2, 2, undefined, undefined])
  assert.deepEqual([samples.length, rejections.map(({ line }) => line)], [2, [3, 5]])
  assert.deepEqual([await store.sources.list(), await served()], [[], []])
})

test('a dry run and an import withhold test data alike, unless the source serves it', async (t) => {
  const { store, take, served } = await openBed(t)
  const times = (hour: number) => ({ start: `2030-01-07T${hour}:00:00Z`, end: `2030-01-07T${hour}:30:00Z` })
  const schedule = { reference: 'Schedule/s' }
  const text = [
    { resourceType: 'Schedule', id: 's', actor: [] },
    { resourceType: 'Slot', id: 'a', schedule, status: 'free', ...times(10) },
    { resourceType: 'Slot', id: 'b', schedule, status: 'free', ...times(11), meta: { tag: [{ code: 'HTEST' }] } },
  ]
    .map((resource) => JSON.stringify(resource))
    .join('\n')
  const file = { name: 'slots.ndjson', open: () => Readable.from([Buffer.from(text)]) }
  for (const [serveTestData, expected] of [
    [false, [1, 1]],
    [true, [2, 0]],
  ] as const) {
    if (serveTestData) await store.sources.edit('clinic', () => ({ options: { serveTestData } }))
    for (const dryRun of [true, false]) {
      const { slots, withheld, samples, withoutState } = await take('', { file, dryRun })
      assert.deepEqual([slots, withheld], expected)
      assert.deepEqual([samples.length, withoutState], [slots, slots])
    }
    assert.equal((await served()).length, expected[0])
  }
})

test('a dry run and an import count alike', async (t) => {
  const { take } = await openBed(t)
  const text = `${HEAD}${row(1)}${row(1)}${row(2, '"Ly\nnn"')}bad,x,y,z\n,,,\n`
  const [tried, taken] = [await take(text, { dryRun: true }), await take(text)]
  for (const what of [
    'outcome',
    'format',
    'read',
    'slots',
    'rejected',
    'withheld',
    'withoutState',
    'samples',
    'notes',
  ] as const) {
    assert.deepEqual(tried[what], taken[what], what)
  }
  assert.deepEqual(
    taken.rejections.map(({ line }) => line),
    tried.rejections.map(({ line }) => line),
  )
  assert.deepEqual(taken.changes, { added: 2, changed: 0, removed: 0 })
})

test('replaces all slots of the source with the next file', async (t) => {
  const { store, take, served } = await openBed(t)
  await take(HEAD + row(1) + row(2))
  const report = await take(HEAD + row(2) + row(3))
  assert.deepEqual([report.slotsBefore, report.changes], [2, { added: 1, changed: 0, removed: 1 }])
  assert.equal((await served()).length, 2)
  const again = await take(HEAD + row(2) + row(3))
  assert.deepEqual(again.changes, { added: 0, changed: 0, removed: 0 })
  const source = await store.sources.find('clinic')
  assert.deepEqual([source?.format, source?.url, source?.slotCount], ['files', '', 2])
  assert.ok((source?.nextSyncAtMs ?? 0) > Date.UTC(9999, 11, 31))
  const turns = await store.sources.dueSyncs({ slow: false, except: [], limit: 10 })
  assert.deepEqual(turns, [], 'nothing is ever due')
})

test('changes nothing for an unreadable file, and leaves no source behind', async (t) => {
  const { store, take, served } = await openBed(t)
  const first = await take('{"slots":[{"id":"a"')
  assert.deepEqual([first.outcome, first.changes, await store.sources.list()], ['failed', undefined, []])
  assert.match(first.error ?? '', /^Cannot read slots\.csv: it is truncated/)
  await take(HEAD + row(1))
  assert.equal((await take(`${HEAD}"${row(2)}`)).outcome, 'failed')
  assert.equal((await served()).length, 1)
})

test('refuses to import into a source that is read from a URL', async (t) => {
  const { store, take } = await openBed(t)
  await store.sources.add({ slug: 'clinic', url: 'https://clinic.example/$bulk-publish', strict: false })
  for (const dryRun of [true, false]) await assert.rejects(take(HEAD + row(1), { dryRun }), ImportRefused)
})

test('says how many slots no state finds', async (t) => {
  const { take } = await openBed(t)
  const head = 'id,start,end,location.name,location.state,serviceStates\n'
  const of = (id: number, place: string) => row(id, place)
  const text =
    head + of(1, 'North,MA,') + of(2, 'East,,') + of(3, ',,NH|ME') + of(4, ',,') + of(4, ',,') + of(5, 'South,NH,')
  for (const dryRun of [true, false]) {
    const { withoutState, slots, notes } = await take(text, { dryRun })
    assert.deepEqual([withoutState, slots], [2, 5])
    const [note] = notes
    assert.equal(note, '2 slots are found by no state (of 5): neither location.state nor serviceStates is given.')
  }
  const all = await take(head + of(1, 'North,MA,'))
  assert.deepEqual([all.withoutState, all.notes], [0, []])
})

test('returns the rejected rows with their reasons as CSV, which can be imported once corrected', async (t) => {
  const { take } = await openBed(t)
  const good = row(1, '"Lynn; ""North"""').replaceAll(',', ';')
  const text = `\ufeffsep=;\n${HEAD.replaceAll(',', ';')}${good}3;soon;"=1+1";Caf\u00e9\n${good}`
  for (const dryRun of [true, false]) {
    const { rejectedCsv = '', rejections } = await take(text, { dryRun })
    const [head, ...lines] = rejectedCsv.split('\r\n')
    assert.equal(head, 'row,reason,id,start,end,location.city')
    assert.match(lines[0], /^3,"Cannot read the row: .*start must .*",3,soon,'=1\+1,Caf\u00e9$/)
    assert.match(lines[1], /^4,"Slot at .* is published twice: .*",1,2030-01-07T11:01:00Z,.*,"Lynn; ""North"""$/)
    assert.deepEqual([rejections.length, lines.length, lines[2]], [2, 3, ''])
    const corrected = rejectedCsv.replace(',soon', ',2030-01-07T10:00:00Z').replace("'=1+1", '2030-01-07T10:30:00Z')
    assert.equal((await take(corrected, { dryRun: true })).slots, 2)
  }
})

test('returns the beginnings of rejected lines that are no table as CSV', async (t) => {
  const { take } = await openBed(t)
  const { rejectedCsv = '' } = await take('{"id":"a","start":"soon","end":"later"}\n', { dryRun: true })
  assert.match(rejectedCsv, /^row,reason,content\r\n1,"Cannot read the line: .*start must .*","\{""id"":""a"",/)
  assert.equal((await take(HEAD + row(1), { dryRun: true })).rejectedCsv, undefined)
})

test('imports a file without slots, and notes it in the dry run and the import', async (t) => {
  const { take, served } = await openBed(t)
  await take(HEAD + rows(50))
  for (const dryRun of [true, false]) {
    const report = await take(HEAD, { dryRun })
    assert.deepEqual([report.outcome, report.notes], ['ok', ['It has no slots.']])
  }
  assert.deepEqual(await served(), [])
})

test('changes nothing if all slots of a file are rejected, and reports the rejections', async (t) => {
  const { store, take, served } = await openBed(t)
  const bad = `${HEAD}1,2030-01-07 10:00,2030-01-07 11:00,Lynn\n2,2030-01-07 10:00,2030-01-07 11:00,Lynn\n`
  const first = await take(bad)
  assert.deepEqual([first.outcome, await store.sources.list()], ['failed', []])
  await take(HEAD + rows(50))
  for (const dryRun of [true, false]) {
    const { outcome, error, read, slots, rejected, rejections } = await take(bad, { dryRun })
    assert.deepEqual([outcome, read, slots, rejected], ['failed', 2, 0, 2])
    assert.match(
      error ?? '',
      /^Cannot import slots\.csv: none of its 2 slots could be read; number 2: .*start must have an offset/,
    )
    assert.deepEqual(
      rejections.map(({ line }) => line),
      [2, 3],
    )
  }
  assert.equal((await served()).length, 50)
  const refused = await take('{"error":"API key required","message":"Create a free key"}')
  assert.deepEqual([refused.outcome, (await served()).length], ['failed', 50])
  assert.equal((await take(`${HEAD}${row(1)}bad,x,y,z\n`)).outcome, 'partial', 'one that can be read is enough')
})

test('imports two concurrent first files of a source, even if one is unreadable', async (t) => {
  const { store, take, served } = await openBed(t)
  for (let time = 0; time < 5; time++) {
    const slug = `clinic-${time}`
    const reports = await Promise.all([
      take(HEAD + rows(20), { slug }),
      take(`${HEAD}"`, { slug }),
      take(HEAD + rows(20), { slug }),
    ])
    assert.deepEqual(
      reports.map(({ outcome }) => outcome),
      ['ok', 'failed', 'ok'],
    )
    assert.equal((await store.sources.find(slug))?.slotCount, 20)
  }
  assert.equal((await served()).length, 100)
})

test('changes nothing when an import is stopped', async (t) => {
  const { store, take, served } = await openBed(t)
  await take(HEAD + row(1))
  const stopping = new AbortController()
  const open = () =>
    Readable.from(
      (function* () {
        yield Buffer.from(HEAD)
        for (let n = 0; n < 20; n++) {
          if (n === 10) stopping.abort(new DOMException('enough', 'AbortError'))
          yield Buffer.from(rows(1000))
        }
      })(),
    )
  const parts = { store, clock: Date.now, signal: stopping.signal }
  const wish = { slug: 'clinic', dryRun: false, file: { name: 'endless', open } }
  const report = await importFile(parts, wish)
  assert.deepEqual([report.outcome, (await served()).length], ['failed', 1])
  assert.equal(report.error, 'Cannot import: the import was stopped; nothing was changed')
})

test('reports a concurrent import and waits for it', async (t) => {
  const { store, take, served } = await openBed(t)
  await take(HEAD + row(1))
  const source = await store.sources.find('clinic')
  const writer = await store.snapshots.begin(source?.id ?? 0, { owner: 'another', leaseMs: 60_000 })
  let told = 0
  const parts = { store, clock: Date.now, signal: AbortSignal.timeout(30_000) }
  const onBusy = () => {
    told++
    const outcome = outcomeOf({ outcome: 'failed', error: 'x' })
    void writer?.abandon({ outcome, rejections: [], nextSyncAtMs: 0 })
  }
  const file = { name: 'slots.csv', open: () => Readable.from([Buffer.from(HEAD + row(2) + row(3))]) }
  const report = await importFile({ ...parts, onBusy }, { slug: 'clinic', dryRun: false, file })
  assert.deepEqual([told, report.outcome, (await served()).length], [1, 'ok', 2])
})

test('records who imported a file in the source log, only for committed imports', async (t) => {
  const { store, take } = await openBed(t)
  const by = { name: 'op@example.org' }
  const kinds = async () => (await store.sourceLog.list({ limit: 10 })).map(({ kind }) => kind)
  await take(`${HEAD}${rows(2)}`, { by, dryRun: true })
  assert.equal((await take('\0', { by })).outcome, 'failed')
  assert.deepEqual(await kinds(), [])
  await take(`${HEAD}${rows(2)}`, { by })
  await take(`${HEAD}${rows(3)}`, { by })
  assert.deepEqual(await kinds(), ['imported', 'imported', 'added'])
  assert.deepEqual((await store.sourceLog.list({ limit: 1 }))[0].actor, by)
})
