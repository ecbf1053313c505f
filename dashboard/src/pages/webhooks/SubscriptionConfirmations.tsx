import { Anchor, Code, Text } from '@mantine/core'
import type { SubscriptionView, SubscriptionWithSecret } from '../../../../src/shared/contract/subscriptions.ts'
import { useDocsUrl } from '../../api/session.ts'
import { useSubscriptionMutations } from '../../api/subscription-queries.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { OneTimeSecret } from '../keys/OneTimeSecret.tsx'
import type { SubscriptionDialogProps } from './SubscriptionForm.tsx'
import { hostOf } from './subscription-labels.ts'

interface Props extends SubscriptionDialogProps {
  readonly subscription: SubscriptionView
}

/** Asks before the secret is replaced. */
export function RotateSecretDialog(props: Props & { readonly onRotated: (rotated: SubscriptionWithSecret) => void }) {
  const { opened, org, subscription, onClose, onRotated } = props
  const { rotate } = useSubscriptionMutations(org)
  const { previousSecretUntilMs } = subscription
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Rotate the secret?"
      confirmLabel="Create new secret"
      onConfirm={async () => onRotated(await rotate(subscription.id))}
    >
      You get a new secret. For 24 hours, requests are signed with both, so your receiver can change without a gap.
      {previousSecretUntilMs !== undefined && ' The secret before the current one stops working now.'}
    </ConfirmDialog>
  )
}

/** Asks before the subscription is deleted. */
export function DeleteSubscriptionDialog(props: Props & { readonly onDeleted?: (() => void) | undefined }) {
  const { opened, org, subscription, onClose, onDeleted } = props
  const { remove } = useSubscriptionMutations(org)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete this subscription?"
      confirmLabel="Delete subscription"
      danger
      onConfirm={async () => {
        await remove(subscription.id)
        notifySuccess('Deleted the subscription.')
        onDeleted?.()
      }}
    >
      Nothing more is sent to <Code>{hostOf(subscription.url)}</Code>, and its deliveries are deleted. This can't be
      undone. To stop for a while, pause it instead.
    </ConfirmDialog>
  )
}

/** Shows the secret of a subscription once. */
export function SubscriptionSecretDialog(props: {
  opened: boolean
  created: SubscriptionWithSecret
  onClose: () => void
}) {
  const { opened, created, onClose } = props
  const guide = useDocsUrl('webhooks')
  const isPending = created.subscription.status === 'pending'
  return (
    <OneTimeSecret
      opened={opened}
      onClose={onClose}
      title="The secret of your subscription"
      label="Secret"
      variable="WEBHOOK_SECRET"
      secret={created.secret}
      warning="Your receiver checks with it that requests come from this service. Keep it like a password."
    >
      <Text size="sm">
        {isPending
          ? 'Start your receiver with this secret: the address is verified first. If the receiver started later, choose “Verify now”.'
          : 'Add it to your receiver. For 24 hours, requests are also signed with the secret before.'}{' '}
        <Anchor href={guide} target="_blank" rel="noreferrer" inherit underline="always">
          Receivers in TypeScript and Python
        </Anchor>
      </Text>
    </OneTimeSecret>
  )
}
