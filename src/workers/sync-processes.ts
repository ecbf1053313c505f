import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ConnectorsOptions } from '../feeds/connectors.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { type RecordingDependencies, recordFailure, type SyncDependencies, type SyncRun } from '../sync/sync-source.ts'
import { Channel, ChannelClosed, type NoOperations } from './channel.ts'
import type { ThreadOperations } from './supervised-worker.ts'

/** What a sync process does. */
export interface SyncOperations extends ThreadOperations {
  /** Comes first. */
  configure(options: SyncProcessOptions): void
  /** Aborted, it replies with the failed sync. */
  sync(job: { readonly slug: string; readonly owner: string }): SyncRun | undefined
}

export interface SyncProcessOptions extends ConnectorsOptions, Pick<SyncDependencies, 'everyMsDefault' | 'slotsMax'> {
  readonly databaseUrl: string
  /** Maximum JavaScript heap of a sync, in MiB. */
  readonly heapMb: number
}

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
 *     (none) ──sync()──> starting ──> syncing ──> idle ──sync()──> syncing ──> …
 *                                        │          └── a minute ──> ended, unless it is the only idle one
 *                                        └── out of memory, killed ──> the sync is recorded as failed
 *
 * A thread would not do: V8 ends the whole process when one large allocation, such as a growing Map, exceeds a thread's heap
 * limit. A process takes about 60 MB and half a second of CPU time to start, so idle ones are used again, the last one first.
 */
export class SyncProcesses {
  readonly #dependencies: RecordingDependencies
  readonly #options: SyncProcessOptions
  readonly #onEvent: (event: LogEvent) => void
  /** Identifies this node in leases, so that a sync that lost the database is not counted as crashed. */
  readonly #owner = randomUUID()
  readonly #running = new Set<SyncProcess>()
  #idle: SyncProcess[] = []

  constructor(dependencies: RecordingDependencies, options: SyncProcessOptions, onEvent: (event: LogEvent) => void) {
    this.#dependencies = dependencies
    this.#options = options
    this.#onEvent = onEvent
  }

  /** As `syncSource()`. A sync whose process ends has failed. */
  async sync(slug: string, signal: AbortSignal): Promise<SyncRun | undefined> {
    const startedAtMs = this.#dependencies.clock()
    const process = this.#idle.pop() ?? this.#start()
    try {
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
  }

  #start(): SyncProcess {
    const process = new SyncProcess(this.#options)
    this.#running.add(process)
    void process.ended.then(() => {
      this.#running.delete(process)
      this.#idle = this.#idle.filter((each) => each !== process)
    })
    return process
  }

  #release(process: SyncProcess): void {
    if (!this.#running.has(process)) return
    this.#idle.push(process)
    setTimeout(() => {
      if (this.#idle.length > 1 && this.#idle.includes(process) && process.isIdleFor(IDLE_MS)) void process.stop()
    }, IDLE_MS).unref()
  }
}

/** One child process. */
class SyncProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  readonly #options: SyncProcessOptions
  readonly #child: ChildProcess
  readonly #channel: Channel<SyncOperations, NoOperations>
  #errorOutput = ''
  #killedFor: string | undefined
  #idleSinceMs = 0

  constructor(options: SyncProcessOptions) {
    this.#options = options
    const child = fork(new URL('./sync-process.ts', import.meta.url), {
      // As of the threads: a larger young generation would only keep garbage longer.
      execArgv: [`--max-old-space-size=${options.heapMb}`, '--max-semi-space-size=4'],
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
    this.#channel.post('configure', options)
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
