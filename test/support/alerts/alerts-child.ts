import { openChannels } from '../../../src/notifications/alerts/alert-channel.ts'
import { Alerts } from '../../../src/notifications/alerts/alerts.ts'
import { UNNAMED_SERVICE } from '../../../src/shared/service-identity.ts'
import { openStore } from '../../../src/store/open-store.ts'

// A node in a separate process, which the test kills while it sends.

const { databaseUrl, webhook, nowMs } = JSON.parse(process.env.BED ?? '')
const clock = () => nowMs
const dashboardUrl = 'https://slots.example/'
const channels = openChannels({
  settings: { emails: [], webhook },
  dashboardUrl,
  service: UNNAMED_SERVICE,
  allowPrivate: true,
  now: clock,
})
const store = await openStore(databaseUrl)
await new Alerts({ store, channels, clock, onEvent: () => undefined }).check()
