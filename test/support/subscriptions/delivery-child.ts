import { openStore } from '../../../src/store/open-store.ts'
import { startNode } from './delivery-service.ts'

// A node in a separate process, which the test kills while it delivers.

const store = await openStore(String(process.argv[2]))
startNode(store)
process.once('disconnect', () => process.exit())
process.send?.('up')
