import type { Config } from '../config/config.ts'
import { type AlertChannel, openChannels } from '../notifications/alerts/alert-channel.ts'
import { testChannels } from '../notifications/alerts/alert-channels.ts'
import { openMailer, type SmtpMailer } from '../notifications/mail/smtp-mailer.ts'
import { type Call, CommandError, defineCommand } from './command.ts'
import { formatTable } from './table.ts'

/** `alerts test`. Throws `CommandError` if no channel is configured, or one failed. */
export const alertsTest = defineCommand({
  description: `Sends a test alert to each address in ALERT_EMAILS and to ALERT_WEBHOOK_URL, once each, and prints the outcome. It uses the
environment of this command, and neither the store nor a running service.`,
  examples: ['alerts test', 'alerts test --json'],
  input: {},
  async run(call) {
    const results = await testAll(call)
    if (results.length === 0) {
      throw new CommandError('Cannot test alerts: set ALERT_EMAILS or ALERT_WEBHOOK_URL')
    }
    const table = formatTable(results, {
      CHANNEL: ({ channel }) => channel,
      OUTCOME: ({ delivered }) => (delivered ? 'delivered' : 'failed'),
      REASON: ({ error }) => error,
    })
    call.print(results, table)
    const failed = results.filter(({ delivered }) => !delivered).length
    if (failed > 0) throw new CommandError(`Cannot reach ${failed} of ${results.length} alert channels`)
  },
})

/** The alert channels of a command's environment. Without a mailer, email addresses cannot be sent to. */
export function alertChannelsOf({ config }: Call, mailer: Pick<SmtpMailer, 'send'> | undefined): AlertChannel[] {
  return openChannels({
    settings: config.alerts,
    mailer,
    dashboardUrl: config.dashboardUrl.replace(/\/*$/, '/'),
    service: config.service,
    allowPrivate: config.allowPrivateSources,
    now: Date.now,
  })
}

async function testAll(call: Call) {
  const mailer = mailerOf(call.config)
  try {
    const results = await testChannels(alertChannelsOf(call, mailer), Date.now())
    // The person who has the environment may read the addresses.
    return results.map(({ channel: { name }, why }) => ({
      channel: name,
      delivered: why === undefined,
      ...(why !== undefined && { error: why }),
    }))
  } finally {
    await mailer?.close()
  }
}

function mailerOf({ account: { smtpUrl, mailFrom } }: Config) {
  return smtpUrl === undefined ? undefined : openMailer({ smtpUrl, mailFrom }, () => undefined)
}
