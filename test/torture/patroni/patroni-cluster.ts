import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ROOT } from '../../support/source-files.ts'
import { Member, PASSWORD } from './member.ts'
import { Network } from './network.ts'

/** The last parts of their addresses. */
const NUMBERS = { 'db-1': 11, 'db-2': 12, 'db-3': 13 }
const MEMBERS = Object.keys(NUMBERS).length
const PROXY = { name: 'proxy', number: 20 }

/** Ten times longer than any condition takes. */
const WAIT_MS_MAX = 180_000

/** A former primary that does not stream by then has to be copied from the leader. */
const JOINED_MS_MAX = 30_000

/** A state of a member, as Patroni reports it. */
interface Reported {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

/** PostgreSQL on three hosts under Patroni with etcd, behind HAProxy, with the configuration of `deploy/patroni/`. */
export class PatroniCluster {
  readonly network: Network
  readonly members: readonly Member[]

  private constructor(network: Network, members: readonly Member[]) {
    this.network = network
    this.members = members
  }

  /** `clients`: how many service nodes have a network to the proxy. */
  static async start(clients: number): Promise<PatroniCluster> {
    const configuration = '/run/patroni.yaml'
    await writeFile(configuration, await smallConfiguration())
    const network = await Network.open(1 + clients)
    const numbers = Object.entries(NUMBERS)
    const addresses = Object.fromEntries(numbers.map(([name, number]) => [name, network.address(0, number)]))
    const members = await Promise.all(
      numbers.map(async ([name, number]) => {
        const member = new Member(name, { network, addresses, configuration })
        await member.prepare(number)
        member.start()
        return member
      }),
    )
    await network.add(PROXY.name, PROXY.number, [...Array(1 + clients).keys()])
    spawnProxy(addresses)
    const cluster = new PatroniCluster(network, members)
    await cluster.untilWhole()
    await cluster.#createDatabase()
    return cluster
  }

  /** The database by the proxy, from the network of a service node, or from that of the databases (0). */
  url(client: number): string {
    return `postgres://slots:${PASSWORD}@${this.network.address(client, PROXY.number)}:5432/slots`
  }

  /** The network of a service node no longer leads to the proxy. */
  unplugClient(client: number): Promise<void> {
    return this.network.unplug(PROXY.name, client)
  }

  plugClient(client: number): Promise<void> {
    return this.network.plug(PROXY.name, client)
  }

  async leader(): Promise<Member> {
    return waitFor('a leader', async () => {
      const leader = (await this.#reported()).find(({ role }) => role === 'leader')
      return this.members.find(({ name }) => name === leader?.name)
    })
  }

  /** Resolves once another member leads, and a change by the proxy is confirmed. */
  async untilLedByAnother(former: Member): Promise<void> {
    await waitFor('another leader', async () => {
      const reported = await this.#reported()
      return reported.some(({ name, role, state }) => role === 'leader' && state === 'running' && name !== former.name)
    })
    await this.untilWritable()
  }

  untilWritable(): Promise<true> {
    return waitFor('a confirmed change', async () => {
      await this.commit('probe')
      return true
    })
  }

  /** Confirms a change by the proxy. Returns the primary's timeline. */
  async commit(name: string): Promise<number> {
    const timeline = `('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer`
    await query(this.url(0), 'create table if not exists public.probe (name text)')
    const text = `insert into public.probe values ($1) returning ${timeline} as timeline`
    return Number((await query(this.url(0), text, [name]))[0].timeline)
  }

  async hasCommitted(name: string): Promise<boolean> {
    return (await query(this.url(0), 'select from public.probe where name = $1 limit 1', [name])).length > 0
  }

  /** Whether a sync is planned after this time, or has a lease until then. */
  async hasSyncsAfter(ms: number): Promise<boolean> {
    const text = 'select from sources where greatest(next_sync_at_ms, lease_until_ms) > $1'
    return (await query(this.url(0), text, [String(ms)]).catch(() => [])).length > 0
  }

  /** Resolves once both standbys stream from the leader, one of them synchronously unless the cluster is asynchronous. */
  async untilWhole(isSynchronous = true): Promise<void> {
    let copyAtMs = Date.now() + JOINED_MS_MAX
    await waitFor('three members', async () => {
      const reported = await this.#reported()
      const timelines = new Set(reported.map(({ timeline }) => timeline))
      const isRunning = reported.every(({ state }) => state === 'running' || state === 'streaming')
      const leader = await this.leader()
      const standbys = await query(superuser(leader), 'select application_name, sync_state from pg_stat_replication')
      if (Date.now() > copyAtMs && reported.every(({ state }) => state !== 'creating replica')) {
        copyAtMs = Date.now() + JOINED_MS_MAX
        await this.#copyAgain([leader.name, ...standbys.map(({ application_name: name }) => String(name))])
      }
      const isKnown = reported.some(({ role }) => role === 'sync_standby') === isSynchronous
      const isSynced = standbys.some((each) => each.sync_state === 'sync') === isSynchronous
      const isWhole = reported.length === MEMBERS && isRunning && timelines.size === 1
      if (isWhole && standbys.length === MEMBERS - 1 && isKnown && isSynced) return true
      throw new Error(`Patroni reports ${JSON.stringify(reported)}, the leader ${JSON.stringify(standbys)}`)
    })
  }

  /** As `patronictl reinit` does, for members that do not stream from the leader by themselves. */
  async #copyAgain(streaming: readonly string[]): Promise<void> {
    for (const { name, address } of this.members) {
      if (streaming.includes(name)) continue
      console.log(`${name} does not stream: it is copied from the leader again`)
      const request = { method: 'POST', body: JSON.stringify({ force: true }), signal: AbortSignal.timeout(5000) }
      await fetch(`http://${address}:8008/reinitialize`, request).catch(() => undefined)
    }
  }

  /** An asynchronous standby may be promoted however much it lacks. */
  async setSynchronous(isSynchronous: boolean): Promise<void> {
    const leader = await this.leader()
    const settings = { synchronous_mode: isSynchronous, maximum_lag_on_failover: 2 ** 30 }
    await fetch(`http://${leader.address}:8008/config`, { method: 'PATCH', body: JSON.stringify(settings) })
    await this.untilWhole(isSynchronous)
  }

  /** As `patronictl switchover` asks it of Patroni. */
  async switchOver(): Promise<void> {
    const leader = await this.leader()
    const url = `http://${leader.address}:8008/switchover`
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ leader: leader.name }) })
    if (!answer.ok) throw new Error(`Cannot switch over: Patroni answered ${answer.status}: ${await answer.text()}`)
  }

  /** Stops the processes that send the leader's log, so that no standby receives what it confirms from now on. */
  async stopReplication(leader: Member): Promise<void> {
    const senders = await query(superuser(leader), 'select pid from pg_stat_replication')
    for (const { pid } of senders) process.kill(Number(pid), 'SIGSTOP')
  }

  async #createDatabase(): Promise<void> {
    const server = superuser(await this.leader())
    await query(server, `create role slots login password '${PASSWORD}'`)
    await query(server, `create database slots owner slots encoding 'UTF8' template template0`)
    await query(server.replace(/postgres$/, 'slots'), 'grant create on schema public to slots')
    await this.untilWritable()
  }

  /** As the first member that answers sees it, and one that has a leader before one that has none. */
  async #reported(): Promise<Reported[]> {
    const views = await Promise.all(
      this.members.map(async ({ address }): Promise<Reported[]> => {
        try {
          const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) })
          return ((await answer.json()) as { members: Reported[] }).members
        } catch {
          return []
        }
      }),
    )
    const newest = (view: Reported[]) => Math.max(0, ...view.map(({ timeline }) => timeline ?? 0))
    return views.sort((a, b) => newest(b) - newest(a))[0]
  }
}

/** The one of `deploy/`, with less memory and space for many small servers on one machine. */
async function smallConfiguration(): Promise<string> {
  const deployed = await readFile(join(ROOT, 'deploy/patroni/patroni.yaml'), 'utf8')
  const parameters = [
    'shared_buffers: 32MB',
    'min_wal_size: 32MB',
    'max_wal_size: 64MB',
    'dynamic_shared_memory_type: mmap',
    "unix_socket_directories: ''",
  ]
  // The section `postgresql` is the last.
  return `${deployed.replace('keep_size: 4GB', 'keep_size: 64MB')}  parameters:\n    ${parameters.join('\n    ')}\n`
}

function spawnProxy(addresses: Readonly<Record<string, string>>): void {
  const [DATABASE_1, DATABASE_2, DATABASE_3] = Object.values(addresses)
  const options = ['-db', '-f', join(ROOT, 'deploy/patroni/haproxy.cfg')]
  spawn('ip', ['netns', 'exec', PROXY.name, 'haproxy', ...options], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, DATABASE_1, DATABASE_2, DATABASE_3 },
  })
}

function superuser({ address }: Member): string {
  return `postgres://postgres:${PASSWORD}@${address}:5432/postgres`
}

async function query(url: string, text: string, values: string[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text, values)).rows
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** Polls until the result is defined. */
export async function waitFor<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  let last: unknown
  for (const deadline = Date.now() + WAIT_MS_MAX; Date.now() < deadline; await sleep(100)) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      last = error
    }
  }
  throw new Error(`Cannot go on: there must be ${what} within ${WAIT_MS_MAX} ms`, { cause: last })
}
