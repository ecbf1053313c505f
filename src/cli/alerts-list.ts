import type { AlertChannelState } from '../store/contracts/alerts.ts'
import { alertChannelsOf } from './alerts-test.ts'
import { defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'

/** `alerts list`. */
export const alertsList = defineCommand({
  description: `DELIVERED and GIVEN UP are the last times that an alert was delivered or given up, within at least the last week. PENDING
counts undelivered alerts; SINCE, ATTEMPTS and NEXT ATTEMPT describe the oldest. The dashboard's health page and the log of the
sending node have the reason of a failure; "alerts test" tries now. A channel with "no" under CONFIGURED is not in this
environment: its pending alerts are given up after a day.`,
  examples: ['alerts list', 'alerts list --json'],
  input: {},
  async run(call) {
    const states = await withStore(call, ({ alerts }) => alerts.channels())
    const names = alertChannelsOf(call, NO_MAILER).map(({ name }) => name)
    const missing = names.filter((name) => !states.some(({ channel }) => channel === name))
    const all = [...missing.map((channel) => ({ channel, waiting: 0 })), ...states]
    const channels = all.map((state) => viewChannel(state, names.includes(state.channel)))
    const none = 'No alert channels are configured. Set ALERT_EMAILS or ALERT_WEBHOOK_URL.'
    call.print(channels, channels.length === 0 ? none : formatChannels(channels))
  },
})

/** Listing sends nothing. */
const NO_MAILER = {
  send: () => Promise.reject(new Error('Cannot send email: this command only lists channels')),
}

interface ChannelView {
  readonly channel: string
  readonly configured: boolean
  readonly deliveredAt?: string
  readonly givenUpAt?: string
  readonly pending: number
  readonly pendingSince?: string
  readonly attempts?: number
  readonly nextAttemptAt?: string
}

function viewChannel(
  { channel, deliveredAtMs, givenUpAtMs, waiting, next }: AlertChannelState,
  configured: boolean,
): ChannelView {
  return {
    channel,
    configured,
    ...(deliveredAtMs !== undefined && { deliveredAt: formatInstant(deliveredAtMs) }),
    ...(givenUpAtMs !== undefined && { givenUpAt: formatInstant(givenUpAtMs) }),
    pending: waiting,
    ...(next && {
      pendingSince: formatInstant(next.createdAtMs),
      attempts: next.attempts,
      nextAttemptAt: formatInstant(next.nextAttemptAtMs),
    }),
  }
}

function formatChannels(channels: readonly ChannelView[]): string {
  const seconds = (instant: string | undefined) => instant && formatSeconds(Date.parse(instant))
  const headings = ['CHANNEL', 'CONFIGURED', 'DELIVERED', 'GIVEN UP', 'PENDING', 'SINCE', 'ATTEMPTS', 'NEXT ATTEMPT']
  return formatTable(
    headings,
    channels.map((channel) => [
      channel.channel,
      channel.configured ? 'yes' : 'no',
      seconds(channel.deliveredAt),
      seconds(channel.givenUpAt),
      channel.pending,
      seconds(channel.pendingSince),
      channel.attempts,
      seconds(channel.nextAttemptAt),
    ]),
  )
}
