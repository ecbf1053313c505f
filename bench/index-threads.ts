import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { runAtOnce } from '../src/lib/steps.ts'
import { DAY_MS } from '../src/lib/time.ts'
import { parseSlotQuery, type SlotQuery } from '../src/slot/slot-query.ts'
import { ContentReceiver, ContentSender } from '../src/slot-index/content-transfer.ts'
import { SlotIndex } from '../src/slot-index/slot-index.ts'
import { callersMix, sampleSlots } from './callers.ts'
import { randomMix } from './queries.ts'
import { median } from './report.ts'
import { sampleBuilder } from './sample-index.ts'

// node bench/index-threads.ts [--slots 1000000 --seconds 4 --rounds 3]: pages that one thread and as many as there are processors read
// from one copy of an index, without HTTP and a load generator, which would need processors of their own. Hashing shows how much faster
// so many are at work that needs no memory.

/** The work that a thread repeats. */
const WORK = ['hashing', "callers' mix", 'mix of 100,000'] as const
const QUESTIONS = 100_000
const HASHED = Buffer.alloc(4096)
const PAGE = Buffer.alloc(1 << 20)

interface Task {
  readonly work: (typeof WORK)[number]
  readonly untilMs: number
}

interface Done {
  readonly repetitions: number
  /** Of the thread. */
  readonly cpuMs: number
}

if (isMainThread) await measure()
else serve()

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      slots: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
    },
  })
  const nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const { content } = sampleBuilder(Number(values.slots), nowMs, (slot) => slot)
  const index = new SlotIndex()
  index.show(content, nowMs)
  const page = (search: string) => index.select(parseSlotQuery(search), nowMs)
  const count = async (search: string) => page(search).total
  const slots = await sampleSlots({
    count,
    page: async (search) => JSON.parse(page(search).body.toString()).slots,
  })
  const searches = {
    "callers' mix": callersMix(slots, QUESTIONS),
    'mix of 100,000': await randomMix(QUESTIONS, count),
  }
  const threads = Array.from({ length: availableParallelism() }, () => {
    const data = { sent: new ContentSender().pack(content), nowMs, searches }
    return new Worker(new URL(import.meta.url), { workerData: data })
  })
  console.log(`${index.length} slots, node ${process.version}`)
  for (const work of WORK) {
    const rounds: { one: Done; all: Done }[] = []
    for (let round = 0; round <= Number(values.rounds); round++) {
      const one = await run(threads.slice(0, 1), work, Number(values.seconds))
      const all = await run(threads, work, Number(values.seconds))
      // The first round warms up.
      if (round > 0) rounds.push({ one, all })
    }
    const speedups = rounds.map(({ one, all }) => all.repetitions / one.repetitions)
    const costs = (['one', 'all'] as const).map((of) => median(rounds.map((round) => costOf(round[of]))).toFixed(1))
    const each = speedups.map((speedup) => speedup.toFixed(2)).join(', ')
    console.log(
      `${work}: ${threads.length} threads ${median(speedups).toFixed(2)} of one (${each}); ${costs.join(' and ')} µs`,
    )
  }
  for (const thread of threads) await thread.terminate()
}

/** Microseconds of CPU time of one repetition. */
function costOf({ cpuMs, repetitions }: Done): number {
  return (cpuMs / repetitions) * 1000
}

async function run(threads: readonly Worker[], work: Task['work'], seconds: number): Promise<Done> {
  const task: Task = { work, untilMs: Date.now() + seconds * 1000 }
  const done = await Promise.all(
    threads.map(async (thread) => {
      thread.postMessage(task)
      const [message] = await once(thread, 'message')
      return message as Done
    }),
  )
  const sum = (figure: keyof Done) => done.reduce((total, each) => total + each[figure], 0)
  return { repetitions: sum('repetitions'), cpuMs: sum('cpuMs') }
}

/** Runs the tasks that a thread receives. */
function serve(): void {
  const { sent, nowMs, searches } = workerData
  const content = runAtOnce(new ContentReceiver().unpack(sent))
  const index = new SlotIndex()
  if (content !== undefined) index.show(content, nowMs)
  const queries: Partial<Record<Task['work'], SlotQuery[]>> = {}
  for (const work in searches) queries[work as Task['work']] = searches[work].map(parseSlotQuery)
  let next = Math.floor(Math.random() * QUESTIONS)
  parentPort?.on('message', ({ work, untilMs }: Task) => {
    const asked = queries[work]
    const startedUs = process.threadCpuUsage()
    let repetitions = 0
    for (; Date.now() < untilMs; repetitions++) {
      if (asked === undefined) createHash('sha256').update(HASHED).digest()
      else index.select(asked[next++ % asked.length], nowMs, () => PAGE)
    }
    const { user, system } = process.threadCpuUsage(startedUs)
    parentPort?.postMessage({ repetitions, cpuMs: (user + system) / 1000 } satisfies Done)
  })
}
