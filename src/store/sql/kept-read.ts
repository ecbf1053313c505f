import type { Database } from './database.ts'

/** The result of a read, kept until something is committed: for what is polled. Reads each time without `Database.dataVersion()`. */
export class KeptRead<T> {
  #kept: { readonly version: number; readonly key: string; readonly value: T } | undefined

  /** The data version of the last read. */
  get version(): number | undefined {
    return this.#kept?.version
  }

  /** `key` names the parameters of the read. */
  async get(database: Pick<Database, 'dataVersion'>, read: () => Promise<T>, key = ''): Promise<T> {
    // Before the read: a commit in between is read again.
    const version = database.dataVersion?.()
    if (version === undefined) return read()
    if (this.#kept?.version === version && this.#kept.key === key) return this.#kept.value
    const value = await read()
    this.#kept = { version, key, value }
    return value
  }
}
