import type { AlertChannelState } from '../store/contracts/alerts.ts'
import { alertChannelsOf } from './alerts-test.ts'
import { defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatInstants, formatSeconds, formatTable } from './table.ts'

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
    call.print(channels, formatChannels(channels))
  },
})

/** Listing sends nothing. */
const NO_MAILER = {
  send: () => Promise.reject(new Error('Cannot send email: this command only lists channels')),
}

type ChannelView = ReturnType<typeof viewChannel>

function viewChannel({ channel, deliveredAtMs, givenUpAtMs, waiting, next }: AlertChannelState, configured: boolean) {
  return {
    channel,
    configured,
    ...formatInstants({ deliveredAt: deliveredAtMs, givenUpAt: givenUpAtMs }),
    pending: waiting,
    ...(next && {
      pendingSince: formatInstant(next.createdAtMs),
      attempts: next.attempts,
      nextAttemptAt: formatInstant(next.nextAttemptAtMs),
    }),
  }
}

function formatChannels(channels: readonly ChannelView[]): string {
  return formatTable(
    channels,
    {
      CHANNEL: ({ channel }) => channel,
      CONFIGURED: ({ configured }) => (configured ? 'yes' : 'no'),
      DELIVERED: ({ deliveredAt }) => deliveredAt && formatSeconds(deliveredAt),
      'GIVEN UP': ({ givenUpAt }) => givenUpAt && formatSeconds(givenUpAt),
      PENDING: ({ pending }) => pending,
      SINCE: ({ pendingSince }) => pendingSince && formatSeconds(pendingSince),
      ATTEMPTS: ({ attempts }) => attempts,
      'NEXT ATTEMPT': ({ nextAttemptAt }) => nextAttemptAt && formatSeconds(nextAttemptAt),
    },
    'No alert channels are configured. Set ALERT_EMAILS or ALERT_WEBHOOK_URL.',
  )
}
