import type { Config } from '../config/config.ts'
import { tryWays } from '../notifications/alerts/test-channels.ts'
import { openMailer } from '../notifications/mail/smtp-mailer.ts'
import { type Call, type Command, Failure } from './command.ts'
import { configuredWays } from './configured-channels.ts'
import { formatTable } from './table.ts'

/** What became of a test alert. */
interface Tried {
  readonly way: string
  readonly arrived: boolean
  readonly error?: string
}

/** `alerts test`. Throws `Failure` if no way is configured, or one did not work. */
export const alertsTest: Command = {
  operands: [],
  options: {},
  explanation: `Sends a test to each address of ALERT_EMAILS and to ALERT_WEBHOOK_URL, once each, and says what happened. It asks neither the store nor a running service: what
counts is the environment of this command.`,
  examples: ['alerts test', 'alerts test --json'],
  async run(call) {
    const tried = await tryAll(call)
    if (tried.length === 0) {
      throw new Failure('Cannot test alerts: ALERT_EMAILS or ALERT_WEBHOOK_URL must be set: got "neither"')
    }
    const rows = tried.map(({ way, arrived, error }) => [way, arrived ? 'arrived' : 'failed', error])
    call.print(tried, formatTable(['WAY', 'OUTCOME', 'WHY'], rows))
    const failed = tried.filter(({ arrived }) => !arrived).length
    if (failed > 0) throw new Failure(`Cannot reach all: each way must work: got "${failed} that failed"`)
  },
}

async function tryAll(call: Call): Promise<Tried[]> {
  const { config, clock } = call
  const mailer = mailerOf(config)
  try {
    const tried = await tryWays(configuredWays(call, mailer), clock())
    // Whose environment it is may read the addresses.
    return tried.map(({ way: { name }, why }) => ({
      way: name,
      arrived: why === undefined,
      ...(why !== undefined && { error: why }),
    }))
  } finally {
    await mailer?.close()
  }
}

function mailerOf({ account }: Config) {
  const { smtpUrl, mailFrom } = account
  return smtpUrl === undefined ? undefined : openMailer({ smtpUrl, mailFrom }, () => undefined)
}
