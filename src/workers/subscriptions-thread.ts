import { once } from 'node:events'
import { readAuthSecrets } from '../auth/auth-secrets.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import type { DisabledSubscription } from '../store/contracts/deliveries.ts'
import type { Store } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { Deliverer } from '../subscriptions/deliverer.ts'
import { notifyDisabled } from '../subscriptions/notify-disabled.ts'
import { EventSender } from '../subscriptions/send-event.ts'
import { openMatcher } from '../subscriptions/subscription-matcher.ts'
import { eventSlotReader } from './event-slots.ts'
import type {
  SubscriptionsOperations,
  SubscriptionsParent,
  SubscriptionsThreadOptions,
} from './subscriptions-worker.ts'
import { lowerPriority, openThread, threadOptions } from './thread-entry.ts'

// Thread entry: matches changes with subscriptions and delivers their events. Started by startSubscriptionsWorker().

/** How often the backlog is counted. */
const COUNT_EVERY_MS = 5000

/** How often expired subscriptions are disabled; an event is never sent after the end. */
const EXPIRE_EVERY_MS = MINUTE_MS

/** Of events that have ended. */
const RETENTION_MS = 7 * DAY_MS

const options = threadOptions<SubscriptionsThreadOptions>()
const { account, baseUrl, dashboardUrl, databaseUrl, service } = options
let deliverer: Deliverer | undefined
const { parent, stopping, onEvent, close } = openThread<SubscriptionsParent, SubscriptionsOperations>({
  drain: () => deliverer?.drain(),
})

lowerPriority()
const waiting = { onEvent, signal: stopping }
const opened = await retryUntilAvailable(open, waiting)
if (opened !== undefined) await serve(opened)
close()

async function open() {
  const store = await openStore(databaseUrl)
  try {
    return { store, secrets: await readAuthSecrets(account, store.operators) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Runs until the thread is asked to stop. */
async function serve({ store, secrets }: NonNullable<Awaited<ReturnType<typeof open>>>): Promise<void> {
  const { smtpUrl, mailFrom } = account
  const mailer = smtpUrl === undefined ? undefined : await openSmtpMailer({ smtpUrl, mailFrom })
  const sender = new EventSender({
    baseUrl,
    allowPrivate: options.allowPrivate,
    decrypt: (secret) => secrets.decrypt(secret),
    now: store.now,
  })
  const engine = new Deliverer({
    store: store.deliveries,
    send: sender.send,
    readSlots: eventSlotReader((query) => parent.request('query', query), store.now),
    now: store.now,
    random: Math.random,
    onEvent,
    onDisabled: (subscription) => void noteDisabled(subscription),
  })
  deliverer = engine
  const counting = periodic(() => postGauges(store, engine), COUNT_EVERY_MS)
  const expiring = periodic(async () => {
    for (const subscription of await store.deliveries.expire(store.now())) await noteDisabled(subscription)
  }, EXPIRE_EVERY_MS)
  const purging = periodic(() => store.deliveries.purge(store.now() - RETENTION_MS), HOUR_MS)
  const matcher = openMatcher({ store, now: store.now, onEvent, onQueued: () => engine.wake() })
  matcher.start()
  engine.start()
  counting.start()
  expiring.start()
  purging.start()
  if (!stopping.aborted) await once(stopping, 'abort')
  await matcher.close()
  await engine.close()
  sender.close()
  await counting.close()
  await expiring.close()
  await purging.close()
  await mailer?.close()
  await store.close()

  async function noteDisabled(subscription: DisabledSubscription): Promise<void> {
    const { subscriptionId, organizationId, reason, url } = subscription
    const fields = { subscription: subscriptionId, organization: organizationId, host: new URL(url).host, reason }
    onEvent({ level: 'warn', message: 'subscription was disabled', fields })
    if (mailer === undefined) return
    await notifyDisabled(subscription, { store, mailer, dashboardUrl, service }).catch((error: unknown) =>
      onEvent({ level: 'error', message: 'owners could not be notified', fields: { error: errorText(error) } }),
    )
  }
}

function periodic(task: () => Promise<void>, everyMs: number): Periodic {
  return new Periodic((signal) => retryUntilAvailable(task, { signal }), {
    everyMs,
    onError: (error) =>
      onEvent({
        level: 'error',
        message: 'subscriptions could not be maintained',
        fields: { error: errorText(error) },
      }),
  })
}

async function postGauges({ deliveries }: Store, engine: Deliverer): Promise<void> {
  parent.post('setDeliveries', { ...engine.counts, ...(await deliveries.backlog()) })
}

async function openSmtpMailer(smtp: { smtpUrl: string; mailFrom: string }) {
  const { openMailer } = await import('../notifications/mail/smtp-mailer.ts')
  return openMailer(smtp, onEvent)
}
