import { openStore } from '../store/open-store.ts'
import { waysOf } from './alert-way.ts'
import { Alerts } from './alerts.ts'

// A node of its own process, to be killed while it sends.

const { databaseUrl, webhook, nowMs } = JSON.parse(process.env.BED ?? '')
const clock = () => nowMs
const dashboardUrl = 'https://slots.example/'
const ways = waysOf({ settings: { emails: [], webhook }, dashboardUrl, allowPrivate: true, now: clock })
const store = await openStore(databaseUrl)
await new Alerts({ store, ways, clock, onEvent: () => undefined }).look()
