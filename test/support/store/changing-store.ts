import { rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Store } from '../../../src/store/contracts/store.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { renewStore } from '../../../src/store/sql/renew-store.ts'
import type { PostgresDatabases } from '../../postgres/postgres-databases.ts'
import { createEmptyDatabase } from './empty-database.ts'
import { tempDatabaseUrl } from './temp-store.ts'

/** Where stores are, and how an operator copies them. Nothing uses a store that is copied. */
export interface StorePlace {
  create(): Promise<string>
  copy(url: string): Promise<string>
  /** A copy that can replace the store. */
  restore(copy: string): Promise<string>
  drop(url: string): Promise<void>
}

const SQLITE_FILES: StorePlace = {
  async create() {
    const url = tempDatabaseUrl()
    await createEmptyDatabase(url)
    return url
  },
  async copy(url) {
    const copy = tempDatabaseUrl()
    using database = new DatabaseSync(fileOf(url), { readOnly: true })
    await backup(database, fileOf(copy))
    return copy
  },
  restore: (copy) => SQLITE_FILES.copy(copy),
  drop: async (url) => rmSync(fileOf(url), { force: true }),
}

/** A copy has the server's timeline, so a new epoch must be started. */
export function postgresPlace(server: PostgresDatabases): StorePlace {
  return {
    create: () => server.createStore(),
    copy: (url) => server.copyDatabase(url),
    async restore(copy) {
      const url = await server.copyDatabase(copy)
      await renewStore(url, Date.now())
      return url
    },
    drop: (url) => server.dropDatabase(url),
  }
}

function fileOf(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length)
}

/** Closes and removes what a test or a part of it uses. */
export interface Scope {
  after(end: () => Promise<void> | void): void
}

/** A store that can be reopened, backed up and replaced by a backup. */
export class ChangingStore {
  readonly #place: StorePlace
  readonly #now: () => number
  readonly #urls: string[]
  #url: string
  #store: Store

  private constructor(place: StorePlace, now: () => number, opened: { readonly url: string; readonly store: Store }) {
    this.#place = place
    this.#now = now
    this.#url = opened.url
    this.#urls = [opened.url]
    this.#store = opened.store
  }

  static async open(scope: Scope, now: () => number, place = SQLITE_FILES): Promise<ChangingStore> {
    const url = await place.create()
    const changing = new ChangingStore(place, now, { url, store: await openStore(url, { now }) })
    scope.after(async () => {
      await changing.#store.close()
      for (const each of changing.#urls) await place.drop(each)
    })
    return changing
  }

  /** The store that is open now. */
  get store(): Store {
    return this.#store
  }

  /** As after a restart. */
  reopen(): Promise<void> {
    return this.#reopenAt(async () => this.#url)
  }

  async backUp(): Promise<string> {
    let copy = ''
    await this.#reopenAt(async () => {
      copy = await this.#place.copy(this.#url)
      return this.#url
    })
    this.#urls.push(copy)
    return copy
  }

  async restore(copy: string): Promise<void> {
    await this.#reopenAt(() => this.#place.restore(copy))
    this.#urls.push(this.#url)
  }

  async #reopenAt(urlOf: () => Promise<string>): Promise<void> {
    await this.#store.close()
    this.#url = await urlOf()
    this.#store = await openStore(this.#url, { now: this.#now })
  }
}
