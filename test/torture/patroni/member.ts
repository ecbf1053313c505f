import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdir, rm } from 'node:fs/promises'
import { type Network, run } from './network.ts'
import { PATRONI_COMMAND, PATRONI_ENV } from './patroni-program.ts'

/** Debian's directory of the server's programs. */
export const BINARIES = '/usr/lib/postgresql/15/bin'

export const PASSWORD = 'secret'

/** PostgreSQL refuses to run as root: `nobody`. */
const UNPRIVILEGED = 65_534

/** Separate, as etcd's is to be: it allocates 64 MB at a time, and a full disk of the database must not end it. */
const DISKS = { database: '1g', etcd: '300m' }

/** A host of the cluster: PostgreSQL under Patroni, a member of etcd, and a disk in memory that can be filled. */
export class Member {
  readonly name: string
  readonly address: string
  readonly #network: Network
  readonly #configuration: string
  readonly #addresses: Readonly<Record<string, string>>
  #etcd: ChildProcess | undefined
  #patroni: ChildProcess | undefined

  /** `addresses`: those of all members by name. `configuration`: Patroni's file. */
  constructor(
    name: string,
    at: { network: Network; addresses: Readonly<Record<string, string>>; configuration: string },
  ) {
    this.name = name
    this.address = at.addresses[name]
    this.#network = at.network
    this.#addresses = at.addresses
    this.#configuration = at.configuration
  }

  /** Starts etcd, on a host of bridge 0 with this last part of its address. */
  async prepare(number: number): Promise<void> {
    await this.#network.add(this.name, number, [0])
    for (const [disk, size] of Object.entries(DISKS)) {
      await mkdir(this.#disk(disk), { recursive: true })
      await run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.#disk(disk))
      await chown(this.#disk(disk), UNPRIVILEGED, UNPRIVILEGED)
    }
    const peerUrl = `http://${this.address}:2380`
    const clientUrl = `http://${this.address}:2379`
    const options = {
      name: this.name,
      'data-dir': `${this.#disk('etcd')}/data`,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'initial-cluster': Object.entries(this.#addresses)
        .map(([name, address]) => `${name}=http://${address}:2380`)
        .join(),
      'heartbeat-interval': '250',
      'election-timeout': '2500',
    }
    this.#etcd = this.#spawn('etcd', 'etcd', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`))
  }

  start(): void {
    this.#patroni = this.#spawn('patroni', ...PATRONI_COMMAND, this.#configuration)
  }

  /** Kills Patroni and PostgreSQL. */
  async kill(): Promise<void> {
    const patroni = this.#patroni
    const ended = patroni === undefined || patroni.exitCode !== null ? undefined : once(patroni, 'exit')
    await this.#network.signal(this.name, 'SIGKILL', [this.#etcd?.pid])
    await ended
  }

  /** Kills PostgreSQL only. */
  killServer(): Promise<void> {
    return this.#network.signal(this.name, 'SIGKILL', [this.#etcd?.pid, this.#patroni?.pid])
  }

  /** Stops Patroni and PostgreSQL without ending them, as a host that swaps or is suspended does. */
  freeze(): Promise<void> {
    return this.#network.signal(this.name, 'SIGSTOP', [this.#etcd?.pid])
  }

  thaw(): Promise<void> {
    return this.#network.signal(this.name, 'SIGCONT')
  }

  /** Leaves no byte for the database. */
  async fillDisk(): Promise<void> {
    await run('dd', 'if=/dev/zero', `of=${this.#filler}`, 'bs=64k').catch(() => undefined)
  }

  freeDisk(): Promise<void> {
    return rm(this.#filler)
  }

  /** The file with the output of `patroni`, which includes PostgreSQL's, or of `etcd`. */
  log(program: string): string {
    return `${process.env.TORTURE_LOGS ?? '/run'}/${this.name}-${program}.log`
  }

  get #filler(): string {
    return `${this.#disk('database')}/filler`
  }

  #disk(name: string): string {
    return `/run/${this.name}/${name}`
  }

  #spawn(program: string, ...command: string[]): ChildProcess {
    const user = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups']
    const disk = this.#disk('database')
    const log = openSync(this.log(program), 'a')
    const child = spawn('ip', ['netns', 'exec', this.name, 'setpriv', ...user, ...command], {
      cwd: disk,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env.PATH,
        ...PATRONI_ENV,
        PATRONI_NAME: this.name,
        PATRONI_RESTAPI_LISTEN: `${this.address}:8008`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${this.address}:8008`,
        PATRONI_ETCD3_HOSTS: Object.values(this.#addresses)
          .map((address) => `${address}:2379`)
          .join(),
        PATRONI_POSTGRESQL_LISTEN: `${this.address}:5432`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${this.address}:5432`,
        PATRONI_POSTGRESQL_DATA_DIR: `${disk}/data`,
        PATRONI_POSTGRESQL_BIN_DIR: BINARIES,
        PATRONI_POSTGRESQL_PGPASS: `${disk}/pgpass`,
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
      },
    })
    closeSync(log)
    return child
  }
}
