import { Forwarder } from '../postgres/forwarder.ts'
import { PostgresServer } from '../postgres/postgres-server.ts'

/** How nodes reach the primary: by a proxy, or by the addresses of both servers. */
export type Reach = 'proxy' | 'hosts'

/** A PostgreSQL primary with a streaming standby, and a proxy to the primary. */
export class Cluster implements AsyncDisposable {
  readonly #first: PostgresServer
  readonly #proxy: Forwarder
  readonly #database: string
  readonly #ports: readonly number[]
  #primary: PostgresServer
  #standby: PostgresServer

  private constructor(
    servers: { primary: PostgresServer; standby: PostgresServer },
    { proxy, database }: { proxy: Forwarder; database: string },
  ) {
    this.#first = servers.primary
    this.#primary = servers.primary
    this.#standby = servers.standby
    this.#ports = [servers.primary.port, servers.standby.port]
    this.#proxy = proxy
    this.#database = database
  }

  static async start(): Promise<Cluster> {
    await using started = new AsyncDisposableStack()
    const primary = started.use(await PostgresServer.start())
    const database = new URL(await primary.createDatabase()).pathname.slice(1)
    const standby = started.use(await primary.createStandby())
    const proxy = started.use(await Forwarder.open())
    proxy.lead(primary.port)
    const cluster = new Cluster({ primary, standby }, { proxy, database })
    started.move()
    return cluster
  }

  /** The value of `DATABASE_URL`. */
  url(reach: Reach): string {
    const ports = reach === 'proxy' ? [this.#proxy.port] : this.#ports
    return `postgres://tester:secret@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${this.#database}`
  }

  /** Kills the primary, and promotes the standby after `awayMs`. */
  async failOver(awayMs: number): Promise<void> {
    const lost = this.#primary
    await lost.kill('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, awayMs))
    await this.#standby.promote()
    this.#primary = this.#standby
    this.#proxy.lead(this.#primary.port)
    // All servers run the binaries in the folder of the first.
    if (lost !== this.#first) await lost[Symbol.asyncDispose]()
  }

  /** After `failOver()`: creates a new standby on the port of the killed primary. */
  async restoreStandby(): Promise<void> {
    const free = this.#ports.find((port) => port !== this.#primary.port)
    this.#standby = await this.#primary.createStandby(free)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]()
    for (const server of [this.#standby, this.#primary, this.#first]) await server[Symbol.asyncDispose]()
  }
}
