import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runCommand, stopScript } from '../../demo/children.ts'
import { needsProcess, runInProcess } from './cli/run-in-process.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { sharedService } from './runner/shared-services.ts'
import { ROOT } from './source-files.ts'
import { createEmptyDatabase } from './store/empty-database.ts'

/** Longer than finishing the running requests may take. */
const STOP_MS_MAX = 30_000

const MAIN = join(ROOT, 'src/main.ts')

/** A store in a temporary folder, and the service on it, started on demand as an operator does. */
export class RunningService implements AsyncDisposable {
  readonly env: NodeJS.ProcessEnv
  readonly origin: string
  /** The same with a host name, which passkeys and links require. */
  readonly home: string
  readonly folder: string
  readonly #main: string
  readonly #runsInProcess: boolean
  readonly #log: string[] = []
  #service: ChildProcess | undefined

  private constructor(folder: string, port: number, main: string, runsInProcess: boolean) {
    this.folder = folder
    this.#main = main
    this.#runsInProcess = runsInProcess
    this.origin = `http://127.0.0.1:${port}`
    this.home = `http://localhost:${port}`
    this.env = {
      PATH: process.env.PATH,
      // Of Node: where `npm test` has it keep what it compiled.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'slots.db')}`,
      ALLOW_PRIVATE_SOURCES: 'true',
      LOG_LEVEL: 'warn',
      // There is no load balancer, so draining needs no delay.
      DRAIN_SECONDS: '0',
    }
  }

  /**
   * Creates an empty store; does not start the service. Uses a free port by default, and the built server of the test run or, without
   * one, the sources. With `main`, its commands run in processes, too.
   */
  static async prepare(port?: number, main?: string): Promise<RunningService> {
    const folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-test-'))
    const program = main ?? (await sharedService('server'))?.main ?? MAIN
    const service = new RunningService(folder, port ?? (await freePort()), program, main === undefined)
    await createEmptyDatabase(String(service.env.DATABASE_URL))
    return service
  }

  /** Runs a command with `--json` and returns what it printed. Rejects with `code`, `stdout` and `stderr` if its exit code is not 0. */
  async run(...args: string[]): Promise<Record<string, unknown>> {
    if (!this.#runsInProcess || needsProcess(args)) return runCommand(this.#main, args, this.env)
    const { code, out, err } = await runInProcess([...args, '--json'], this.env)
    if (code !== 0) throw Object.assign(new Error(err), { code, stdout: out, stderr: err })
    return JSON.parse(out)
  }

  /** Creates an organization and a key by the command line. Returns the key. */
  async createKey(): Promise<string> {
    await this.run('org', 'create', 'Good Health')
    return String((await this.run('key', 'create', '--org', 'Good Health')).key)
  }

  /** A new setup link. */
  async setupLink(): Promise<string> {
    return String((await this.run('operator', 'link')).link)
  }

  /** Resolves once `/readyz` responds 200. */
  async serve(): Promise<void> {
    const service = this.launch()
    await eventually(async () => {
      if (service.exitCode !== null) throw new Error(`Cannot serve: it ended with code ${service.exitCode}`)
      return (await fetch(`${this.origin}/readyz`).catch(() => undefined))?.ok
    })
  }

  /** Starts the service without waiting until it is ready. */
  launch(): ChildProcess {
    const service = spawn(process.execPath, [this.#main, 'serve'], { env: this.env, stdio: ['ignore', 'pipe', 2] })
    this.#keepLog(service)
    service.once('exit', (code, signal) => {
      if (this.#service !== undefined) console.error(`The service ended by itself with ${signal ?? `code ${code}`}`)
    })
    this.#service = service
    return service
  }

  /** Of the running service. */
  get pid(): number {
    if (this.#service?.pid === undefined) throw new Error('The service has no process id: it is not running')
    return this.#service.pid
  }

  /** The response of `/v1/scheduling/slots`. */
  async slots(key: string, search: string): Promise<{ status: number; body: SlotsBody }> {
    const response = await fetch(`${this.origin}/v1/scheduling/slots?${search}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  /** The first line of the log with this message. With a `LOG_LEVEL` at which it is written; rejects if it does not come. */
  logged(message: string): Promise<Record<string, unknown>> {
    return eventually(() => this.lines().find(({ msg }) => msg === message))
  }

  /** The log so far. */
  lines(): Record<string, unknown>[] {
    return this.#log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  }

  /** Stops the service; the store remains. Returns the exit code if it was running. Rejects if it does not stop. */
  async stop(): Promise<number | null | undefined> {
    const service = this.#service
    this.#service = undefined
    if (service === undefined) return undefined
    const wasKilled = service.signalCode !== null
    await stopScript(service, STOP_MS_MAX)
    if (service.signalCode === 'SIGKILL' && !wasKilled)
      throw new Error(`Cannot stop the service: it must end within ${STOP_MS_MAX} ms: it was killed`)
    return service.exitCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop()
    } finally {
      await rm(this.folder, { recursive: true, force: true })
    }
  }

  /** Writes to standard error: standard output belongs to the test runner. */
  #keepLog({ stdout }: ChildProcess): void {
    if (stdout === null) throw new Error('Cannot read the log: stdout must be a pipe: got "null"')
    createInterface({ input: stdout }).on('line', (line) => {
      this.#log.push(line)
      if (/"level":"(warn|error|fatal)"/.test(line)) console.error(line)
    })
  }
}

export interface SlotsBody {
  readonly slots: readonly {
    readonly id: string
    readonly start: string
    readonly location?: { postalCode?: string }
  }[]
  readonly total: number
}
