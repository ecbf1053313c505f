import { writeFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import type { Store } from '../store/contracts/store.ts'
import type { IsolatedOperations, IsolatedParent, SyncJobOptions } from './isolated-operations.ts'

// Process entry: syncs one source after another, or runs one check or import. Started by IsolatedProcess, and ends with its parent.
// Its argument is the folder of compiled code, if there is one.

const [, , folder] = process.argv
// Without one, Node.js would take a folder whose name other users know.
if (folder !== undefined) enableCompileCache(folder)
const { Channel } = await import('./channel.ts')
const { lowerPriority } = await import('./thread-entry.ts')

type SyncParts = Omit<Parameters<typeof import('../sync/sync-source.ts')['syncSource']>[0], 'store' | 'clock'>

const configured = Promise.withResolvers<{ readonly databaseUrl: string; readonly parts: SyncParts }>()
let store: Store | undefined

// The parent is asked to stop with the same signals, and then stops this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
lowerPriority()
killFirst()

const parent = new Channel<IsolatedParent, IsolatedOperations>(
  {
    postMessage: (message) => process.send?.(message, undefined, undefined, () => undefined),
    on: (event, listener) => process.on(event, listener),
  },
  {
    configure,
    sync,
    check: async (job, signal) => {
      const { checkFeedOf } = await import('./isolated-jobs.ts')
      return checkFeedOf(job, signal, (progress) => parent.post('progress', progress))
    },
    manifest: async ({ url, ...options }) => (await import('./check-source.ts')).sourceChecker(options)(url),
    import: async (job, signal) => (await import('./isolated-jobs.ts')).importFileOf(job, signal),
    stop,
  },
)

async function configure(options: SyncJobOptions): Promise<void> {
  const { connectorsOf } = await import('../feeds/connectors.ts')
  await Promise.all([import('../store/open-store.ts'), import('../sync/sync-source.ts')])
  const parts = { ...options, connectorOf: connectorsOf(options), random: Math.random }
  configured.resolve({ databaseUrl: options.databaseUrl, parts })
  // The next process loads what this one compiled.
  flushCompileCache()
}

async function sync({ slug, owner }: Parameters<IsolatedOperations['sync']>[0], signal: AbortSignal) {
  const { databaseUrl, parts } = await configured.promise
  const { openStore } = await import('../store/open-store.ts')
  const { syncSource } = await import('../sync/sync-source.ts')
  store ??= await openStore(databaseUrl)
  return syncSource({ ...parts, store, clock: store.now }, slug, { owner, signal, countsCrash: true })
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
