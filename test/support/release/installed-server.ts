import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { ROOT } from '../source-files.ts'

/** The server as an operator installs it in an empty folder, from its package alone and by the commands of the documentation. */
export class InstalledServer {
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv
  readonly #origin: string
  #service: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    const nodeFolder = dirname(process.execPath)
    this.#folder = join(folder, 'machine')
    mkdirSync(join(this.#folder, 'backups'), { recursive: true })
    this.#origin = `http://127.0.0.1:${port}`
    this.#env = {
      PATH: `${join(folder, 'global/bin')}:${nodeFolder}:${process.env.PATH}`,
      HOME: this.#folder,
      // Node.js is there already, and the package contains all others.
      npm_config_prefix: join(folder, 'global'),
      npm_config_omit: 'optional',
      npm_config_offline: 'true',
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
    }
  }

  /** `folder`: empty. */
  static async in(folder: string): Promise<InstalledServer> {
    return new InstalledServer(folder, await freePort())
  }

  /** As in docs/guide/self-hosting.md, in a folder with this package only. */
  async install(file: string): Promise<void> {
    await this.run('rm -f ./scheduling-slots-server-*.tgz')
    cpSync(file, join(this.#folder, basename(file)))
    const [, command] = /^(npm install --global .*)$/m.exec(page('guide/self-hosting.md')) ?? []
    await this.run(String(command))
  }

  async run(command: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', command], { cwd: this.#folder, env: this.#env })
    return stdout
  }

  async createKey(name: string): Promise<{ readonly id: string; readonly key: string }> {
    return JSON.parse(await this.run(`slots key create --org "Good Health" --name ${name} --json`))
  }

  async serve(): Promise<void> {
    const started = spawn('slots', ['serve'], { cwd: this.#folder, env: this.#env, stdio: ['ignore', 'ignore', 2] })
    this.#service = started
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error(`Cannot serve: it ended with code ${started.exitCode}`)
      return (await fetch(`${this.#origin}/readyz`).catch(() => undefined))?.ok
    })
  }

  async stop(): Promise<void> {
    const service = this.#service
    assert.ok(service)
    const ended = once(service, 'exit')
    service.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    this.#service = undefined
  }

  /** The status of a request with each key. */
  statuses(...keys: readonly { readonly key: string }[]): Promise<number[]> {
    const ask = async ({ key }: { readonly key: string }) =>
      (await fetch(`${this.#origin}/v1/scheduling/slots`, { headers: { 'x-api-key': key } })).status
    return Promise.all(keys.map(ask))
  }

  [Symbol.dispose](): void {
    this.#service?.kill('SIGKILL')
  }
}

/** The first command of a page with this name, for an installed package and its folder. */
export function documentedCommand(path: string, name: string): string {
  const [, args] = new RegExp(`npm run -s slots -- (${name} /backups/[^\`\\s]+)`).exec(page(path)) ?? []
  assert.ok(args, `${path} must have the command ${name}`)
  return `slots ${args.replace('/backups/', 'backups/')}`
}

function page(path: string): string {
  return readFileSync(join(ROOT, 'docs', path), 'utf8')
}
