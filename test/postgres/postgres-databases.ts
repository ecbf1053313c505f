import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openStore } from '../../src/store/open-store.ts'

/** The databases of a PostgreSQL server on loopback. */
export class PostgresDatabases {
  readonly port: number
  readonly #created = new Set<string>()
  #template: Promise<string> | undefined

  constructor(port: number) {
    this.port = port
  }

  /** The URL of a database. */
  url(database: string): string {
    return `postgres://tester:secret@127.0.0.1:${this.port}/${database}`
  }

  /** Creates an empty database and returns its URL. Its name is unique on the server. */
  createDatabase(): Promise<string> {
    return this.#create('template1')
  }

  /** Creates a database with the tables of an empty store: a copy, which takes a sixth of the time of migrating. */
  async createStore(): Promise<string> {
    this.#template ??= this.#createTemplate()
    return this.#create(new URL(await this.#template).pathname.slice(1))
  }

  /** Copies a database that has no connections, with everything in it. */
  copyDatabase(url: string): Promise<string> {
    return this.#create(new URL(url).pathname.slice(1))
  }

  async dropDatabase(url: string): Promise<void> {
    this.#created.delete(url)
    await this.command(`drop database if exists "${new URL(url).pathname.slice(1)}" with (force)`)
  }

  /** Drops what `createDatabase()` created and nothing has dropped since. */
  async dropDatabases(): Promise<void> {
    for (const url of [...this.#created]) await this.dropDatabase(url)
  }

  /** Runs one statement as the server's owner and returns its rows. */
  async command(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.url('postgres'))
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  async #create(template: string): Promise<string> {
    const name = `test_${randomBytes(8).toString('hex')}`
    await this.command(`create database ${name} template ${template} strategy file_copy`)
    this.#created.add(this.url(name))
    return this.url(name)
  }

  async #createTemplate(): Promise<string> {
    const url = await this.createDatabase()
    await (await openStore(url)).close()
    return url
  }
}
