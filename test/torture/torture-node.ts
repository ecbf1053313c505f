import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/source-files.ts'
import { type ProcessorWaits, processorWaits } from './processor-waits.ts'

/** The time until `/readyz` answers 200. */
const READY_MS_MAX = 60_000

const ANSWER_MS_MAX = 15_000

/** The pause before a node that ended is started again, as by a supervisor. */
const RESTART_MS = 500

/** A request to a node. */
export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** One node: the service as an operator runs it, in a separate process, which can be killed and started again. */
export class TortureNode implements AsyncDisposable {
  readonly name: string
  readonly port: number
  /** Counts starts and kills. A request may fail if this has changed in the meantime. */
  life = 0
  /** `/readyz` answered 200, and the node was not killed since. */
  isReady = false
  /** Number of times that it ended without being killed. */
  ends = 0
  /** Number of log lines of each warning or error. */
  readonly warnings = new Map<string, number>()
  readonly #env: NodeJS.ProcessEnv
  readonly #agent = new Agent({ keepAlive: true })
  #child: ChildProcess | undefined

  private constructor(name: string, port: number, env: NodeJS.ProcessEnv) {
    this.name = name
    this.port = port
    this.#env = {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      ALLOW_PRIVATE_SOURCES: 'true',
      LOG_LEVEL: 'warn',
      // One account makes all changes of a run.
      CHANGES_PER_HOUR_MAX: '1000000',
      ...env,
    }
  }

  static async prepare(name: string, env: NodeJS.ProcessEnv): Promise<TortureNode> {
    return new TortureNode(name, await freePort(), env)
  }

  /** Starts the node, and again whenever it ends without being killed. Resolves once it is ready or was killed. */
  async start(): Promise<void> {
    const life = ++this.life
    this.#spawn(life)
    if (await this.#untilReady(life)) return
    throw new Error(`Cannot go on: ${this.name} must be ready within ${READY_MS_MAX} ms`)
  }

  async kill(): Promise<void> {
    this.life++
    this.isReady = false
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** The time for which its threads have waited for a processor. */
  waits(): ProcessorWaits {
    return processorWaits(this.#child?.pid)
  }

  ask(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          method,
          headers,
          agent: this.#agent,
          timeout: ANSWER_MS_MAX,
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (piece: string) => {
            text += piece
          })
          response.once('error', reject)
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          )
        },
      )
      asked.once('timeout', () => asked.destroy(new Error(`${this.name} did not answer ${path}`)))
      asked.once('error', reject)
      asked.end(body)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    this.#agent.destroy()
  }

  async #untilReady(life: number): Promise<boolean> {
    for (const deadline = Date.now() + READY_MS_MAX; Date.now() < deadline; await sleep(50)) {
      if (life !== this.life) return true
      const answer = await this.ask('/readyz').catch(() => undefined)
      if (answer?.status !== 200 || life !== this.life) continue
      this.isReady = true
      return true
    }
    return false
  }

  #spawn(life: number): void {
    const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), 'serve'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#readLogLine(line))
    }
    child.once('exit', () => {
      if (life !== this.life) return
      this.ends++
      this.isReady = false
      setTimeout(() => {
        if (life !== this.life) return
        this.#spawn(life)
        void this.#untilReady(life)
      }, RESTART_MS)
    })
  }

  #readLogLine(line: string): void {
    if (!line.startsWith('{')) return
    const { level, msg, thread, error } = JSON.parse(line)
    if (!/^(warn|error|fatal)$/.test(level)) return
    const why = error === undefined ? '' : `: ${String(error).split('\n')[0].slice(0, 160)}`
    this.#count(`${level} ${msg}${thread === undefined ? '' : ` (${thread})`}${why}`)
  }

  #count(warning: string): void {
    this.warnings.set(warning, (this.warnings.get(warning) ?? 0) + 1)
  }
}
