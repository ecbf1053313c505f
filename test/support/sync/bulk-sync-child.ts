import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { syncSource } from '../../../src/sync/sync-source.ts'

// A child process that is killed while it syncs. Prints a line before it begins.
const [url = ''] = process.argv.slice(2)
const store = await openStore(url)
const dependencies = {
  store,
  connectorOf: () => smartLinks({ allowPrivate: true }),
  clock: Date.now,
  random: () => 0,
  everyMsDefault: 300_000,
}
process.stdout.write('begins\n')
await syncSource(dependencies, 'clinic', { leaseMs: 100, owner: 'killed' })
await store.close()
