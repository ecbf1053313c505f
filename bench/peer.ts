import assert from 'node:assert/strict'
import type { ReadableStream } from 'node:stream/web'
import { PostgresServer } from '../test/postgres/postgres-server.ts'
import { freePort } from '../test/support/free-port.ts'
import { callersMix, sampleSlots } from './callers.ts'
import { POSTGRES_SETTINGS } from './databases.ts'
import { loadPeer } from './peer/peer-data.ts'
import { type Running, start } from './processes.ts'
import { median } from './report.ts'
import { type Bench, type Serving, SLOTS_PATH, serving } from './serving.ts'

const QUESTIONS = 20_000
const COMPARED = 200
/** Of our requests per second to those of the peer. */
const GOAL = 20

interface Kind {
  readonly name: string
  readonly searches: readonly string[]
}

/**
 * The callers' questions to the service and to a plain one on PostgreSQL (`bench/peer/`), one after the other on the same data at rest:
 * the mix, and each kind of question in it. First compares the answers of both.
 */
export async function measurePeer(bench: Bench): Promise<void> {
  const ours = await serving(bench, 'large')
  await using server = await PostgresServer.start(POSTGRES_SETTINGS)
  const peerPort = await freePort()
  let peer: Running | undefined
  try {
    const database = await server.createDatabase()
    const startedMs = performance.now()
    const loaded = await loadPeer(database, await exportOf(ours))
    bench.report.known('peer: load and index, slots/s', (loaded / (performance.now() - startedMs)) * 1000)
    peer = await start(['bench/peer/peer-service.ts', '--port', `${peerPort}`, '--database', database])
    const kinds = await kindsOf(ours)
    for (const { searches } of kinds) await compareWithPeer(searches.slice(0, COMPARED), ours, peerPort)
    for (const kind of kinds) await measureKind(bench, kind, { ours, peerPort })
  } finally {
    await peer?.stop()
    await ours.stop()
  }
}

/** The slots of a service, as its callers export them. */
export async function exportOf({ port, key }: Pick<Serving, 'port' | 'key'>): Promise<ReadableStream> {
  const headers = { 'x-api-key': key, accept: 'application/x-ndjson' }
  // Ended slots too, as a question with a start finds them.
  const response = await fetch(`http://127.0.0.1:${port}${SLOTS_PATH}?startAfter=2000-01-01T00:00:00Z`, { headers })
  if (response.status !== 200 || response.body === null) throw new Error(`Cannot export: status ${response.status}`)
  return response.body as ReadableStream
}

/** The mix, then the questions of it that have one filter besides state and day, by filter, then those without a day. */
async function kindsOf(ours: Serving): Promise<Kind[]> {
  const mix = callersMix(await sampleSlots(ours), QUESTIONS)
  const [all, ofState] = [await ours.count(''), await ours.count('state=CA')]
  const byFilter = Map.groupBy(
    mix.filter((search) => search.startsWith('state=') && filtersIn(search).length === 1),
    (search) => filtersIn(search)[0],
  )
  return [
    { name: "callers' mix", searches: mix },
    ...[...byFilter].map(([filter, searches]) => ({ name: `state, day and ${filter}`, searches })),
    { name: 'first page', searches: [''] },
    { name: 'state', searches: ['state=CA'] },
    { name: 'state and isVirtual', searches: ['state=CA&isVirtual=true'] },
    { name: 'last page of a state', searches: [`state=CA&offset=${Math.max(0, ofState - 25)}`] },
    { name: 'offset at nine tenths', searches: [`offset=${Math.floor(all * 0.9)}`] },
  ]
}

function filtersIn(search: string): string[] {
  const names = [...new URLSearchParams(search).keys()]
  return names.filter((name) => !['state', 'startAfter', 'startBefore', 'offset'].includes(name))
}

/** Throws unless both return the same total and the same slots in the same order. */
export async function compareWithPeer(
  searches: readonly string[],
  ours: Pick<Serving, 'port' | 'key'>,
  peerPort: number,
): Promise<void> {
  for (const search of searches) {
    const [own, other] = await Promise.all([answer(ours.port, search, ours.key), answer(peerPort, search, '')])
    assert.deepEqual(other, own, search)
  }
}

async function answer(port: number, search: string, key: string): Promise<{ total: number; ids: string[] }> {
  const response = await fetch(`http://127.0.0.1:${port}${SLOTS_PATH}?${search}`, { headers: { 'x-api-key': key } })
  const { total, slots } = (await response.json()) as { total: number; slots: { id: string }[] }
  return { total, ids: slots.map(({ id }) => id) }
}

async function measureKind(
  bench: Bench,
  { name, searches }: Kind,
  { ours, peerPort }: { ours: Serving; peerPort: number },
): Promise<void> {
  const rounds: { ratio: number; ours: number; peer: number; oursMs: number; peerMs: number }[] = []
  for (let round = 0; round < bench.rounds; round++) {
    const begin = Math.floor((round * searches.length) / bench.rounds)
    const asked = [...searches.slice(begin), ...searches.slice(0, begin)]
    const theirs = await ours.load(asked, { port: peerPort })
    const own = await ours.load(asked)
    const [mine, other] = [own.requestsPerSecond, theirs.requestsPerSecond]
    rounds.push({ ratio: mine / other, ours: mine, peer: other, oursMs: own.p99Ms, peerMs: theirs.p99Ms })
  }
  const middle = (figure: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[figure]))
  const note = ` (${Math.round(middle('ours'))} and ${Math.round(middle('peer'))} requests/s, p99 ${middle('oursMs')} and ${middle('peerMs')} ms)`
  bench.report.atLeast(`${name}, ratio to the peer`, middle('ratio'), GOAL, note)
}
