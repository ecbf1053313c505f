import { openStore } from '../../../../src/store/open-store.ts'

// A process of its own that opens the store named first, creates the organization named second, and closes.
const [url, name] = process.argv.slice(2)
const store = await openStore(url)
await store.organizations.create(name)
await store.close()
