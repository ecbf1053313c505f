import { writeFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import type { Store } from '../store/contracts/store.ts'
import type { NoOperations } from './channel.ts'
import type { SyncOperations, SyncProcessOptions } from './sync-processes.ts'

// Process entry: syncs one source after another. Started by SyncProcesses, and ends with it. Its argument is the folder of compiled code.

enableCompileCache(process.argv[2])
const { connectorsOf } = await import('../feeds/connectors.ts')
const { openStore } = await import('../store/open-store.ts')
const { syncSource } = await import('../sync/sync-source.ts')
const { Channel } = await import('./channel.ts')
const { lowerPriority } = await import('./thread-entry.ts')

const configured = Promise.withResolvers<SyncProcessOptions>()
let connectors: ReturnType<typeof connectorsOf> | undefined
let store: Store | undefined

// The parent is asked to stop with the same signals, and then stops this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
lowerPriority()
killFirst()

new Channel<NoOperations, SyncOperations>(
  {
    postMessage: (message) => process.send?.(message, undefined, undefined, () => undefined),
    on: (event, listener) => process.on(event, listener),
  },
  { configure, sync: run, stop },
)

function configure(options: SyncProcessOptions): void {
  configured.resolve(options)
  // The next process loads what this one compiled.
  flushCompileCache()
}

async function run({ slug, owner }: Parameters<SyncOperations['sync']>[0], signal: AbortSignal) {
  const options = await configured.promise
  store ??= await openStore(options.databaseUrl)
  connectors ??= connectorsOf(options)
  const parts = { ...options, store, connectorOf: connectors, clock: Date.now, random: Math.random }
  return syncSource(parts, slug, { owner, signal, countsCrash: true })
}

async function stop(): Promise<void> {
  await store?.close()
  process.disconnect()
}

/** When memory runs out, the kernel ends this process before the one that serves requests. */
function killFirst(): void {
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // The limit of the heap protects the service in most cases.
  }
}
