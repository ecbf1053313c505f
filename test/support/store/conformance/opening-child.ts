import { openStore } from '../../../../src/store/open-store.ts'

// A child process: opens the store of the first argument, creates the organization of the second, and closes.
const [url, name] = process.argv.slice(2)
const store = await openStore(url)
await store.organizations.create(name)
await store.close()
