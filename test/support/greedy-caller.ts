import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { Caller, type CallerResult, COSTLY_PATHS, type CostlyPath } from './caller-load.ts'

interface GreedyLoad {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly path: CostlyPath
  /** Number of the first request: none is sent twice. */
  readonly first: number
}

/**
 * A caller of costly requests in a separate process with the lowest priority, so that only its requests delay the service and other
 * callers.
 */
export class GreedyCaller {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(load: GreedyLoad): Promise<GreedyCaller> {
    const child = fork(import.meta.filename, [JSON.stringify(load)])
    await once(child, 'message')
    return new GreedyCaller(child)
  }

  /** The number of responses by status since the last call. */
  async take(): Promise<CallerResult['statuses']> {
    this.#child.send('take')
    const [statuses] = await once(this.#child, 'message')
    return statuses as CallerResult['statuses']
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
  }
}

if (process.argv[1] === import.meta.filename) {
  const { path, first, ...load }: GreedyLoad = JSON.parse(process.argv[2])
  setPriority(19)
  const caller = new Caller({ ...load, pathOf: (n) => COSTLY_PATHS[path](first + n) })
  process.on('message', () => process.send?.(caller.take().statuses))
  process.on('disconnect', () => process.exit())
  process.send?.('started')
}
