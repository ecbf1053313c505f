import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { syncSource } from '../../../src/sync/sync-source.ts'
import { syncParts } from '../store/temp-store.ts'

// A child process that is killed while it syncs. Prints a line before it begins.
const [url = ''] = process.argv.slice(2)
const store = await openStore(url)
process.stdout.write('begins\n')
await syncSource(syncParts(store, smartLinks({ allowPrivate: true })), 'clinic', { leaseMs: 100, owner: 'killed' })
await store.close()
