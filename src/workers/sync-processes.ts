import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { type RecordingDependencies, recordFailure, type SyncRun } from '../sync/sync-source.ts'
import { ChannelClosed } from './channel.ts'
import type { SyncJobOptions } from './isolated-operations.ts'
import { type IsolatedProcess, IsolatedProcesses, type ProcessLimits } from './isolated-process.ts'

export interface SyncProcessOptions extends SyncJobOptions, ProcessLimits {
  /** Maximum number of processes. */
  readonly processesMax: number
}

/** A sync waits this long for another to end before a further process starts: most take a few milliseconds. */
const WAIT_MS_MAX = 1000

/** Beyond the first, idle processes end after this time. */
const IDLE_MS = MINUTE_MS

/** A sync is aborted after 30 minutes; one that runs on was blocked by its feed. */
const SYNC_MS_MAX = 40 * MINUTE_MS

interface IdleProcess {
  readonly process: IsolatedProcess
  readonly sinceMs: number
}

/**
 * Syncs sources in isolated processes, one sync at a time in each, so that a feed that takes all memory of its process ends no other sync
 * and no request.
 *
 *     (none) ──sync()──> syncing ──> idle ──sync()──> syncing ──> …
 *                          │          └── a minute ──> ended, unless it is the only idle one
 *                          └── out of memory, killed ──> the sync is recorded as failed
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
  readonly #processes: IsolatedProcesses
  #starting: Promise<unknown> = Promise.resolve()
  #idle: IdleProcess[] = []
  readonly #waiting: { readonly sinceMs: number; readonly resolve: (process: IsolatedProcess) => void }[] = []

  constructor(dependencies: RecordingDependencies, options: SyncProcessOptions, onEvent: (event: LogEvent) => void) {
    this.#dependencies = dependencies
    this.#options = options
    this.#onEvent = onEvent
    this.#processes = new IsolatedProcesses(options)
  }

  /** Number of processes. */
  get size(): number {
    return this.#processes.running
  }

  /** As `syncSource()`. A sync whose process ends has failed. */
  async sync(slug: string, signal: AbortSignal): Promise<SyncRun | undefined> {
    const startedAtMs = this.#dependencies.clock()
    const process = await this.#take()
    try {
      if (signal.aborted) return undefined
      return await process.run('sync', { slug, owner: this.#owner }, { signal, msMax: SYNC_MS_MAX })
    } catch (error) {
      if (!(error instanceof ChannelClosed)) throw error
      const reason = new Error(`Cannot read feed: ${await process.whyEnded('sync')}`)
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
    await this.#processes.close()
  }

  #take(): Promise<IsolatedProcess> {
    const { promise, resolve } = Promise.withResolvers<IsolatedProcess>()
    const idle = this.#idle.pop()
    if (idle !== undefined) resolve(idle.process)
    else {
      this.#waiting.push({ sinceMs: performance.now(), resolve })
      setTimeout(() => this.#start(), this.#processes.running === 0 ? 0 : WAIT_MS_MAX)
    }
    return promise
  }

  /** Starts a process if a sync has waited too long since the last one was started. */
  #start(): void {
    this.#starting = this.#starting.then(async () => {
      const [first] = this.#waiting
      const { running } = this.#processes
      const isNeeded = first !== undefined && (running === 0 || performance.now() - first.sinceMs >= WAIT_MS_MAX - 1)
      if (!isNeeded || running >= this.#options.processesMax) return
      const process = this.#processes.start()
      const loaded = process.run('configure', this.#jobOptions, { signal: NEVER, msMax: SYNC_MS_MAX })
      void process.ended.then(() => this.#noteEnded(process))
      this.#release(process)
      await Promise.race([loaded.catch(() => undefined), process.ended])
      await sleep(WAIT_MS_MAX)
    })
  }

  get #jobOptions(): SyncJobOptions {
    const { heapMb: _heap, memoryMb: _memory, processesMax: _max, ...options } = this.#options
    return options
  }

  #noteEnded(ended: IsolatedProcess): void {
    this.#idle = this.#idle.filter(({ process }) => process !== ended)
    // Of the syncs that wait, none has its timer any more if all processes had been started.
    if (this.#waiting.length > 0) this.#start()
  }

  #release(process: IsolatedProcess): void {
    if (process.hasEnded) return
    const next = this.#waiting.shift()
    if (next !== undefined) next.resolve(process)
    else {
      this.#idle.push({ process, sinceMs: performance.now() })
      setTimeout(() => this.#endIdle(process), IDLE_MS).unref()
    }
  }

  #endIdle(process: IsolatedProcess): void {
    const idle = this.#idle.find((each) => each.process === process)
    if (this.#idle.length === 1 || idle === undefined || performance.now() - idle.sinceMs < IDLE_MS - 1) return
    this.#idle = this.#idle.filter((each) => each !== idle)
    void process.stop()
  }
}

const NEVER = new AbortController().signal
