import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectorsOptions } from '../feeds/connectors.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { type RecordingDependencies, recordFailure, type SyncDependencies, type SyncRun } from '../sync/sync-source.ts'
import { Channel, ChannelClosed, type NoOperations } from './channel.ts'
import type { ThreadOperations } from './supervised-worker.ts'

/** What a sync process does. */
export interface SyncOperations extends ThreadOperations {
  /** Comes first. Replies when the process has loaded its code. */
  configure(options: SyncProcessOptions): void
  /** Aborted, it replies with the failed sync. */
  sync(job: { readonly slug: string; readonly owner: string }): SyncRun | undefined
}

export interface SyncProcessOptions extends ConnectorsOptions, Pick<SyncDependencies, 'everyMsDefault' | 'slotsMax'> {
  readonly databaseUrl: string
  /** Maximum JavaScript heap of a sync, in MiB. */
  readonly heapMb: number
}

/** A sync waits this long for another to end before a further process starts: most take a few milliseconds. */
const WAIT_MS_MAX = 1000

/** Beyond the first, idle processes end after this time. */
const IDLE_MS = MINUTE_MS

/** A sync is aborted after 30 minutes; one that runs on was blocked by its feed. */
const SYNC_MS_MAX = 40 * MINUTE_MS

/** An aborted sync that does not end is killed. Nothing of it is visible. */
const ABORT_MS_MAX = 6000
const STOP_MS_MAX = 2000

/**
 * Syncs sources in child processes, one sync at a time in each, so that a feed that takes all memory of its process ends no other sync
 * and no request.
 *
 *     (none) ──sync()──> syncing ──> idle ──sync()──> syncing ──> …
 *                          │          └── a minute ──> ended, unless it is the only idle one
 *                          └── out of memory, killed ──> the sync is recorded as failed
 *
 * A thread would not do: V8 ends the whole process when one large allocation, such as a growing Map, exceeds the heap limit of a thread.
 *
 * Few processes do most of the work. Each takes 70 to 90 MB, and 0.2 s of CPU time to start with the code that the first one compiled.
 * On SQLite, each also empties the page cache of the others when it writes.
 */
export class SyncProcesses {
  readonly #dependencies: RecordingDependencies
  readonly #options: SyncProcessOptions
  readonly #onEvent: (event: LogEvent) => void
  /** Identifies this node in leases, so that a sync that lost the database is not counted as crashed. */
  readonly #owner = randomUUID()
  readonly #running = new Set<SyncProcess>()
  /** Readable by this user only: its files are executed. */
  readonly #codeFolder = mkdtempSync(join(tmpdir(), 'slots-sync-'))
  #starting: Promise<unknown> = Promise.resolve()
  #idle: SyncProcess[] = []
  readonly #waiting: { readonly sinceMs: number; readonly resolve: (process: SyncProcess) => void }[] = []

  constructor(dependencies: RecordingDependencies, options: SyncProcessOptions, onEvent: (event: LogEvent) => void) {
    this.#dependencies = dependencies
    this.#options = options
    this.#onEvent = onEvent
  }

  /** As `syncSource()`. A sync whose process ends has failed. */
  async sync(slug: string, signal: AbortSignal): Promise<SyncRun | undefined> {
    const startedAtMs = this.#dependencies.clock()
    const process = await this.#take()
    try {
      if (signal.aborted) return undefined
      return await process.sync({ slug, owner: this.#owner }, signal)
    } catch (error) {
      if (!(error instanceof ChannelClosed)) throw storeErrorOf(error)
      const reason = new Error(`Cannot read feed: ${await process.whyEnded()}`)
      this.#onEvent({ level: 'error', message: 'sync process died', fields: { source: slug, error: reason.message } })
      return await recordFailure(this.#dependencies, slug, {
        owner: this.#owner,
        startedAtMs,
        reason,
        interrupted: signal.aborted,
      })
    } finally {
      this.#release(process)
    }
  }

  /** Resolves when all processes have ended. Call it after the last sync. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((process) => process.stop()))
    rmSync(this.#codeFolder, { recursive: true, force: true })
  }

  #take(): Promise<SyncProcess> {
    const { promise, resolve } = Promise.withResolvers<SyncProcess>()
    const idle = this.#idle.pop()
    if (idle !== undefined) resolve(idle)
    else {
      this.#waiting.push({ sinceMs: performance.now(), resolve })
      setTimeout(() => this.#start(), this.#running.size === 0 ? 0 : WAIT_MS_MAX)
    }
    return promise
  }

  /** Starts a process if a sync has waited too long since the last one was started. */
  #start(): void {
    this.#starting = this.#starting.then(async () => {
      const [first] = this.#waiting
      const isNeeded = first !== undefined && performance.now() - first.sinceMs >= WAIT_MS_MAX - 1
      if (this.#running.size > 0 ? !isNeeded : first === undefined) return
      const process = new SyncProcess(this.#options, this.#codeFolder)
      this.#running.add(process)
      void process.ended.then(() => {
        this.#running.delete(process)
        this.#idle = this.#idle.filter((each) => each !== process)
      })
      this.#release(process)
      await Promise.race([process.loaded, process.ended])
      await sleep(WAIT_MS_MAX)
    })
  }

  #release(process: SyncProcess): void {
    if (!this.#running.has(process)) return
    const next = this.#waiting.shift()
    if (next !== undefined) next.resolve(process)
    else {
      this.#idle.push(process)
      setTimeout(() => this.#endIdle(process), IDLE_MS).unref()
    }
  }

  #endIdle(process: SyncProcess): void {
    if (this.#idle.length === 1 || !this.#idle.includes(process) || !process.isIdleFor(IDLE_MS)) return
    this.#idle = this.#idle.filter((each) => each !== process)
    void process.stop()
  }
}

/** One child process. */
class SyncProcess {
  readonly loaded: Promise<unknown>
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  readonly #options: SyncProcessOptions
  readonly #child: ChildProcess
  readonly #channel: Channel<SyncOperations, NoOperations>
  #errorOutput = ''
  #killedFor: string | undefined
  #idleSinceMs = 0

  constructor(options: SyncProcessOptions, codeFolder: string) {
    this.#options = options
    const child = fork(new URL('./sync-process.ts', import.meta.url), [codeFolder], {
      // V8's own young generation: with that of the threads, 400,000 slots take 15 % more CPU time.
      execArgv: [`--max-old-space-size=${options.heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-ERROR_OUTPUT_MAX)
    })
    // After `exit`, when its output is complete. A process that cannot be started has no `exit`.
    this.ended = Promise.race([once(child, 'close'), new Promise((resolve) => child.once('error', resolve))])
    this.#channel = new Channel<SyncOperations, NoOperations>(
      {
        postMessage: (message) => child.send(message as object, () => undefined),
        on: (event, listener) => child.on(event, listener),
      },
      {},
    )
    child.on('error', () => this.#channel.close())
    this.loaded = this.#channel.request('configure', options).catch(() => undefined)
  }

  isIdleFor(ms: number): boolean {
    return performance.now() - this.#idleSinceMs >= ms - 1
  }

  async sync(job: Parameters<SyncOperations['sync']>[0], signal: AbortSignal): Promise<SyncRun | undefined> {
    const timers = [setTimeout(() => this.#kill('it took too long'), SYNC_MS_MAX)]
    const abort = () => timers.push(setTimeout(() => this.#kill('it did not stop'), ABORT_MS_MAX))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    try {
      return await this.#channel.request('sync', job, { signal })
    } finally {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      this.#idleSinceMs = performance.now()
    }
  }

  /** Why it ended, in a few words. */
  async whyEnded(): Promise<string> {
    await this.ended
    const { exitCode, signalCode } = this.#child
    if (this.#killedFor !== undefined) return `the sync was stopped: ${this.#killedFor}`
    if (/out of memory/i.test(this.#errorOutput))
      return `the sync ran out of memory: it may use ${this.#options.heapMb} MiB (SYNC_HEAP_MB)`
    if (signalCode === 'SIGKILL') return 'the sync ran out of memory: the operating system ended its process'
    return `the process of the sync ended (${signalCode ?? `exit code ${exitCode}`})`
  }

  /** Ends the process after its sync. */
  async stop(): Promise<void> {
    this.#channel.post('stop', undefined)
    const force = setTimeout(() => this.#kill('the service is stopping'), STOP_MS_MAX)
    await this.ended
    clearTimeout(force)
  }

  #kill(reason: string): void {
    this.#killedFor = reason
    this.#child.kill('SIGKILL')
  }
}

/** V8 reports that its heap is full in the last lines. */
const ERROR_OUTPUT_MAX = 16_384

/** A message between processes loses the class of an error. */
function storeErrorOf(error: unknown): unknown {
  const isUnavailable = error instanceof Error && error.name === 'StoreUnavailable'
  return isUnavailable ? new StoreUnavailable(error.message, { cause: error }) : error
}
