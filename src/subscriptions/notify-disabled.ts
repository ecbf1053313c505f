import { formatMail } from '../notifications/mail/mails.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { SubscriptionReason } from '../shared/subscription-vocabulary.ts'
import type { DisabledSubscription } from '../store/contracts/deliveries.ts'
import type { Store } from '../store/contracts/store.ts'

interface NoticeOptions {
  readonly store: Pick<Store, 'memberships' | 'organizations'>
  readonly mailer: Pick<Mailer, 'post'>
  readonly dashboardUrl: string
  readonly service: ServiceIdentity
}

const REASONS: Readonly<Record<SubscriptionReason, string>> = {
  gone: 'The receiver responded 410 (gone).',
  failing: 'Deliveries have failed for three days.',
  unverified: 'The receiver did not return the challenge of the verification within a day.',
  expired: 'It has expired.',
}

/** Notifies the owner and the admins of an organization by email that a subscription was disabled; of one that expired, nobody. */
export async function notifyDisabled(
  { subscriptionId, organizationId, url, reason }: DisabledSubscription,
  { store, mailer, dashboardUrl, service }: NoticeOptions,
): Promise<void> {
  const organization = await store.organizations.find(organizationId)
  if (reason === 'expired' || organization === undefined) return
  const { host } = new URL(url)
  const members = await store.memberships.list(organizationId)
  for (const { email, role } of members) {
    if (role === 'member') continue
    const content = {
      to: email,
      subject: `A subscription of ${organization.name} was disabled`,
      paragraphs: [
        `The subscription ${subscriptionId} of ${organization.name} to ${host} was disabled. ${REASONS[reason]}`,
        'No events are sent to it any more. Once the receiver works, enable the subscription again: events that were missed are not sent, but the change log has them.',
      ],
      link: {
        text: 'View subscription',
        href: new URL(`/app/o/${organizationId}/webhooks/${subscriptionId}`, dashboardUrl).href,
      },
    }
    mailer.post(formatMail(content, service))
  }
}
