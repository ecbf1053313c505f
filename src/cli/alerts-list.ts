import type { AlertChannelState } from '../store/contracts/alert-store.ts'
import type { Command } from './command.ts'
import { configuredWays } from './configured-channels.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { withStore } from './with-store.ts'

/** `alerts list`. */
export const alertsList: Command = {
  operands: [],
  options: {},
  explanation: `ARRIVED is when an alert last did, and GIVEN UP when one last was: of those of the last week at least. WAITING counts those that are still on their way, and
SINCE, TRIES and NEXT TRY tell of the oldest of them. Why it does not arrive is on the dashboard's health page and in the log of the node that tried; "alerts test" tries now.
A way with "no" under SET is none of this environment's: what waits for it is given up after a day.`,
  examples: ['alerts list', 'alerts list --json'],
  async run(call) {
    const states = await withStore(call, ({ alerts }) => alerts.channels())
    const names = configuredWays(call, NO_MAILER).map(({ name }) => name)
    const missing = names.filter((name) => !states.some(({ channel }) => channel === name))
    const all = [...missing.map((channel) => ({ channel, waiting: 0 })), ...states]
    const ways = all.map((state) => viewWay(state, names.includes(state.channel)))
    const none = 'Nobody is told of sources in trouble: neither ALERT_EMAILS nor ALERT_WEBHOOK_URL is set.'
    call.print(ways, ways.length === 0 ? none : formatWays(ways))
  },
}

/** Nothing is sent here. */
const NO_MAILER = {
  send: () => Promise.reject(new Error('Cannot send: this command must not: got "a mail"')),
}

interface WayView {
  readonly way: string
  readonly set: boolean
  readonly arrivedAt?: string
  readonly givenUpAt?: string
  readonly waiting: number
  readonly waitingSince?: string
  readonly tries?: number
  readonly nextTryAt?: string
}

function viewWay(
  { channel: way, deliveredAtMs: arrivedAtMs, givenUpAtMs, waiting, next }: AlertChannelState,
  set: boolean,
): WayView {
  return {
    way,
    set,
    ...(arrivedAtMs !== undefined && { arrivedAt: formatInstant(arrivedAtMs) }),
    ...(givenUpAtMs !== undefined && { givenUpAt: formatInstant(givenUpAtMs) }),
    waiting,
    ...(next && {
      waitingSince: formatInstant(next.createdAtMs),
      tries: next.attempts,
      nextTryAt: formatInstant(next.nextAttemptAtMs),
    }),
  }
}

function formatWays(ways: readonly WayView[]): string {
  const seconds = (instant: string | undefined) => instant && formatSeconds(Date.parse(instant))
  const headings = ['WAY', 'SET', 'ARRIVED', 'GIVEN UP', 'WAITING', 'SINCE', 'TRIES', 'NEXT TRY']
  return formatTable(
    headings,
    ways.map((way) => [
      way.way,
      way.set ? 'yes' : 'no',
      seconds(way.arrivedAt),
      seconds(way.givenUpAt),
      way.waiting,
      seconds(way.waitingSince),
      way.tries,
      seconds(way.nextTryAt),
    ]),
  )
}
