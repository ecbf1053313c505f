import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Channel, type Payload, type Reply } from './channel.ts'
import { codeFolder } from './code-folder.ts'
import type { IsolatedOperations, IsolatedParent } from './isolated-operations.ts'
import { processMbMax } from './process-budget.ts'
import { watchProcessMemory } from './process-memory.ts'

/** Starts the isolated processes of a thread. They load the code that the first of them compiled. */
export class IsolatedProcesses {
  readonly heapMb: number
  readonly #memoryMb: number
  readonly #running = new Set<IsolatedProcess>()

  /** Of each process, in MiB: maximum JavaScript heap, and private memory, by default as planned for such a heap. */
  constructor({ heapMb, memoryMb = processMbMax(heapMb) }: ProcessLimits) {
    this.heapMb = heapMb
    this.#memoryMb = memoryMb
  }

  get running(): number {
    return this.#running.size
  }

  start(options: Pick<IsolatedProcessOptions, 'descriptor' | 'onProgress'> = {}): IsolatedProcess {
    const limits = { heapMb: this.heapMb, memoryMb: this.#memoryMb }
    const process = new IsolatedProcess({ ...options, ...limits })
    this.#running.add(process)
    void process.ended.then(() => this.#running.delete(process))
    return process
  }

  /** Resolves when all processes have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((process) => process.stop()))
  }
}

/** See `processBudgetOf()`. */
export interface ProcessLimits {
  readonly heapMb: number
  readonly memoryMb?: number
}

interface IsolatedProcessOptions extends Required<ProcessLimits> {
  /** An open file that the process inherits as `FILE_DESCRIPTOR`. */
  readonly descriptor?: number
  readonly onProgress?: IsolatedParent['progress']
}

interface TimeLimits {
  readonly signal: AbortSignal
  /** Beyond it, the process is killed. */
  readonly msMax: number
}

/** An aborted operation that does not end is killed. Nothing of it is visible. */
const ABORT_MS_MAX = 6000
const STOP_MS_MAX = 2000

/**
 * A child process with a limited heap and a low priority, for what reads data of others: whatever takes all its memory ends this process
 * and no other.
 *
 * A thread would not do: V8 ends the whole process when one large allocation, such as a growing Map, exceeds the heap limit of a thread.
 */
export class IsolatedProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  readonly #heapMb: number
  readonly #child: ChildProcess
  readonly #channel: Channel<IsolatedOperations, IsolatedParent>
  #hasEnded = false
  #errorOutput = ''
  #killedFor: string | undefined

  constructor({ heapMb, memoryMb, descriptor, onProgress = () => undefined }: IsolatedProcessOptions) {
    this.#heapMb = heapMb
    const folder = codeFolder()
    const child = fork(new URL('./isolated-entry.ts', import.meta.url), folder === undefined ? [] : [folder], {
      // V8's own young generation: with that of the threads, 400,000 slots take 15 % more CPU time.
      execArgv: [`--max-old-space-size=${heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', descriptor ?? 'ignore'],
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-ERROR_OUTPUT_MAX)
    })
    // After `exit`, when its output is complete. A process that cannot be started has no `exit`.
    this.ended = Promise.race([once(child, 'close'), new Promise((resolve) => child.once('error', resolve))])
    const endWatch = watchProcessMemory(child.pid, memoryMb, () =>
      this.#kill(`it took more than ${memoryMb} MiB of memory, which depends on SYNC_HEAP_MB`),
    )
    void this.ended.then(() => {
      this.#hasEnded = true
      endWatch()
    })
    this.#channel = new Channel<IsolatedOperations, IsolatedParent>(
      {
        postMessage: (message) => child.send(message as object, () => undefined),
        on: (event, listener) => child.on(event, listener),
      },
      { progress: onProgress },
    )
    child.on('error', () => this.#channel.close())
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Rejects with `ChannelClosed` if the process ends: see `whyEnded()`. */
  async run<N extends 'configure' | 'sync' | 'check' | 'manifest' | 'import'>(
    name: N,
    payload: Payload<IsolatedOperations[N]>,
    { signal, msMax }: TimeLimits,
  ): Promise<Reply<IsolatedOperations[N]>> {
    const timers = [setTimeout(() => this.#kill('it took too long'), msMax)]
    const abort = () => timers.push(setTimeout(() => this.#kill('it did not stop'), ABORT_MS_MAX))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    try {
      return await this.#channel.request(name, payload, { signal })
    } finally {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Why it ended, in a few words. `task`: what it did. */
  async whyEnded(task: string): Promise<string> {
    await this.ended
    const { exitCode, signalCode } = this.#child
    if (this.#killedFor !== undefined) return `the ${task} was stopped: ${this.#killedFor}`
    if (/out of memory/i.test(this.#errorOutput))
      return `the ${task} ran out of memory: it may use ${this.#heapMb} MiB (see SYNC_HEAP_MB)`
    if (signalCode === 'SIGKILL') return `the ${task} ran out of memory: the operating system ended its process`
    return `the process of the ${task} ended (${signalCode ?? `exit code ${exitCode}`})`
  }

  /** Ends the process after what it is doing. */
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
