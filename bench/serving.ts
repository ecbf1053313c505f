import { freePort } from '../test/support/free-port.ts'
import type { Databases } from './databases.ts'
import type { Load, LoadResult } from './load.ts'
import { type Running, slotsCommand, start, untilReady } from './processes.ts'
import type { Report } from './report.ts'

/** The context of all measurements. */
export interface Bench {
  readonly slots: number
  readonly seconds: number
  readonly rounds: number
  readonly databases: Databases
  readonly generate: (load: Load) => Promise<LoadResult>
  readonly report: Report
}

/** The environment of a service or command on the named store. */
export async function storeOf(bench: Bench, name: string): Promise<Record<string, string>> {
  return { DATABASE_URL: await bench.databases.url(name), ALLOW_PRIVATE_SOURCES: 'true' }
}

/** How the image and the systemd unit have memory allocated. */
const GLIBC_TUNABLES = 'glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1048576'

/** Starts the built server. */
export function serve(store: Record<string, string>, port: number): Promise<Running> {
  return start(['dist/main.js', 'serve'], { GLIBC_TUNABLES, ...store, PORT: String(port), HOST: '127.0.0.1' })
}

/** A ready service, and how to send requests to it. */
export interface Serving extends Running {
  /** From process start to ready. */
  readonly readyMs: number
  readonly port: number
  readonly key: string
  count(search: string): Promise<number>
  /** The slots of one page. */
  page(search: string): Promise<unknown[]>
  pageBytes(): Promise<number>
  /** Changes with every change of the slots. */
  etag(): Promise<string | null>
  load(searches: readonly string[], at?: { port?: number; seconds?: number; connections?: number }): Promise<LoadResult>
}

export const SLOTS_PATH = '/v1/scheduling/slots'

/** Starts a service on a filled store, with a key. */
export async function serving(bench: Bench, name: string, env: Record<string, string> = {}): Promise<Serving> {
  const port = await freePort()
  const store = await storeOf(bench, name)
  await slotsCommand(store, 'org', 'create', `Bench ${Date.now()}`)
  const [{ id }] = (await slotsCommand(store, 'org', 'list')) as { id: string }[]
  const { key } = (await slotsCommand(store, 'key', 'create', '--org', id)) as { key: string }
  const startedMs = performance.now()
  const running = await serve({ ...store, ...env }, port)
  await untilReady(port)
  const readyMs = performance.now() - startedMs
  const ask = async (search: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${SLOTS_PATH}?${search}`, {
      headers: { 'x-api-key': key },
    })
    if (response.status !== 200) throw new Error(`Cannot measure: "${search}" returned status ${response.status}`)
    return { etag: response.headers.get('etag'), body: await response.text() }
  }
  return {
    ...running,
    readyMs,
    port,
    key,
    count: async (search) => JSON.parse((await ask(search)).body).total,
    page: async (search) => JSON.parse((await ask(search)).body).slots,
    pageBytes: async () => Buffer.byteLength((await ask('')).body),
    etag: async () => (await ask('')).etag,
    load: async (searches, at = {}) => {
      const paths = searches.map((search) => `${SLOTS_PATH}${search && `?${search}`}`)
      const result = await bench.generate({ port, seconds: bench.seconds, paths, key, ...at })
      if (result.errors > 0) throw new Error(`Cannot measure: ${result.errors} requests failed`)
      return result
    },
  }
}
