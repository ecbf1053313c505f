import { constants, setPriority } from 'node:os'
import { DELIVERIES } from '../test/support/feeds/conformance/deliveries.ts'
import { startHostilePublishers } from '../test/support/hostile-publishers.ts'

// One hostile publisher of each kind and format; prints their sources as one line of JSON.

// A separate process, so that its CPU time does not count as the service's.
setPriority(constants.priority.PRIORITY_LOW)
const { sources } = await startHostilePublishers(DELIVERIES)
console.log(JSON.stringify(sources))
