import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { HOUR_MS } from '../../src/lib/time.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { eventually } from '../support/eventually.ts'
import { Publisher } from '../support/feeds/publisher.ts'
import { freePort } from '../support/free-port.ts'
import { RunningService } from '../support/running-service.ts'
import { ROOT } from '../support/source-files.ts'
import { HourlyCallers } from './hourly-callers.ts'
import { publishAt, SLUGS } from './hourly-feeds.ts'
import { numberOf, pagesInUse, rowsByTable } from './store-contents.ts'

/** The state of the service at the end of half a day. */
export interface SoakSample {
  readonly day: number
  /** By name: memory and files in bytes, and numbers of descriptors, threads and timers. After a garbage collection. */
  readonly sizes: Readonly<Record<string, number>>
  /** By table. */
  readonly rows: Readonly<Record<string, number>>
}

export interface SoakResult {
  readonly samples: readonly SoakSample[]
  /** That have ended, by source and outcome. */
  readonly syncs: Readonly<Record<string, number>>
  readonly callers: Readonly<Record<string, number>>
  /** Warnings and errors in the log, without those that are expected. */
  readonly errors: readonly object[]
}

const HOURS_PER_SAMPLE = 12
/** Of requests with keys that are revoked or expired, and of sources whose syncs are overdue after a jump. */
const EXPECTED: ReadonlySet<string> = new Set(['requests were refused', 'health of a source changed'])

/** Runs a service for some days of its clock, which jumps by an hour whenever the work of that hour is done. */
export async function soak(days: number, onDay: (sample: SoakSample) => void = () => undefined): Promise<SoakResult> {
  await using publisher = await Publisher.open({})
  await using service = await RunningService.prepare()
  const clock = new Clock(join(service.folder, 'clock'))
  Object.assign(service.env, {
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    LOG_LEVEL: 'warn',
    METRICS_PORT: String(await freePort()),
    // Longer than a jump.
    CHANGES_RETENTION_MINUTES: '180',
    REQUEST_LOG_DAYS: '1',
    CLOCK_FILE: clock.file,
    NODE_OPTIONS: `--import ${pathToFileURL(join(ROOT, 'test/soak/jumping-clock.ts'))}`,
  })
  publishAt(publisher, clock.nowMs)
  for (const slug of SLUGS)
    await service.run('source', 'add', slug, `${publisher.origin}/${slug}/$bulk-publish`, '--every', '60')
  await service.serve()
  await using callers = await HourlyCallers.open(service)
  const samples: SoakSample[] = []
  let syncs = await whenSynced(service, SLUGS.length)
  for (let hour = 0; hour < days * 24; hour++) {
    publishAt(publisher, clock.nowMs + HOUR_MS)
    clock.jump(HOUR_MS)
    syncs = await whenSynced(service, (hour + 2) * SLUGS.length)
    await callers.spendHour(hour, clock.nowMs)
    if ((hour + 1) % HOURS_PER_SAMPLE === 0) {
      const sample = { day: (hour + 1) / 24, ...(await measure(service, clock)) }
      samples.push(sample)
      onDay(sample)
    }
  }
  const errors = service.lines().filter(({ msg }) => !EXPECTED.has(String(msg)))
  return { samples, syncs, callers: callers.counts, errors }
}

/** The syncs that have ended, by source and outcome, once there are so many. The store shows a sync a moment before it has ended. */
function whenSynced({ env }: RunningService, count: number): Promise<Record<string, number>> {
  return eventually(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text()
    const syncs = [...metrics.matchAll(/^slots_syncs_total\{(.+)\} (\d+)$/gm)]
    const ended = syncs.reduce((sum, [, , number]) => sum + Number(number), 0)
    return ended >= count && Object.fromEntries(syncs.map(([, labels, number]) => [labels, Number(number)]))
  })
}

/** The clock of the service: see `jumping-clock.ts`. */
class Clock {
  readonly file: string
  /** Milliseconds that it is ahead, and the number of garbage collections. */
  readonly #values = new Float64Array(2)
  /** Of the service. */
  #threads = 0

  constructor(file: string) {
    this.file = file
    this.#write()
  }

  get nowMs(): number {
    return Date.now() + this.#values[0]
  }

  jump(ms: number): void {
    this.#values[0] += ms
    this.#write()
  }

  /** Collects the garbage of all threads of a process. Returns what each has then; rejects if a thread that was there is missing. */
  async collect(pid: number): Promise<readonly Heap[]> {
    this.#values[1]++
    this.#write()
    if (this.#threads === 0) await pause(FIRST_COLLECTION_MS)
    const heaps = await eventually(() => {
      const collected = this.#heapsOf(pid)
      return collected.length >= Math.max(1, this.#threads) && collected
    })
    this.#threads = heaps.length
    return heaps
  }

  /** Of the last collection. */
  #heapsOf(pid: number): Heap[] {
    const folder = dirname(this.file)
    return readdirSync(folder)
      .filter((name) => name.startsWith(`clock.${pid}.`) && !name.endsWith('.part'))
      .map((name): Heap => JSON.parse(readFileSync(join(folder, name), 'utf8')))
      .filter(({ collections }) => collections === this.#values[1])
  }

  #write(): void {
    writeFileSync(this.file, this.#values)
  }
}

interface Heap {
  readonly collections: number
  readonly heapBytes: number
  readonly externalBytes: number
  readonly timers: number
}

/** Far longer than all threads need. */
const FIRST_COLLECTION_MS = 5000

async function measure(service: RunningService, clock: Clock): Promise<Omit<SoakSample, 'day'>> {
  const { pid } = service
  const heaps = await clock.collect(pid)
  const sum = (name: 'heapBytes' | 'externalBytes' | 'timers') => heaps.reduce((total, heap) => total + heap[name], 0)
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const path = sqlitePath(String(service.env.DATABASE_URL)) ?? ''
  using database = new DatabaseSync(path, { readOnly: true })
  return {
    sizes: {
      resident: Number(resident?.[1]) * 1024,
      heap: sum('heapBytes'),
      external: sum('externalBytes'),
      timers: sum('timers'),
      threads: readdirSync(`/proc/${pid}/task`).length,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      store: pagesInUse(database) * numberOf(database, 'pragma page_size'),
      'write-ahead log': statSync(`${path}-wal`).size,
    },
    rows: rowsByTable(database),
  }
}
