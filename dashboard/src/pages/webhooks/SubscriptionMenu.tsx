import { ActionIcon, Menu } from '@mantine/core'
import type { SubscriptionView } from '../../../../src/shared/contract/subscriptions.ts'
import { useMay } from '../../api/session.ts'
import { useSubscriptionMutations } from '../../api/subscription-queries.ts'
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '../../components/icons.tsx'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import type { SubscriptionDialogs } from './subscription-dialogs.tsx'
import { hostOf } from './subscription-labels.ts'

/** The actions of a subscription that take effect without a dialog. */
export function useSubscriptionActions(org: string, { id, status }: SubscriptionView) {
  const { edit, test } = useSubscriptionMutations(org)
  const attempt = async (action: () => Promise<unknown>, done: string) => {
    try {
      await action()
      notifySuccess(done)
    } catch (error) {
      notifyError(error)
    }
  }
  return {
    canPause: status === 'active' || status === 'pending',
    pause: () => attempt(() => edit(id, { status: 'paused' }), 'Paused. Nothing is sent until you resume it.'),
    resume: () => attempt(() => edit(id, { status: 'active' }), 'Resumed. Slots that open from now on are sent.'),
    /** A test while it is active; until its address is verified, the verification again. */
    send:
      status === 'active'
        ? { label: 'Send test', run: () => attempt(() => test(id), 'A test event is on its way.') }
        : status === 'pending'
          ? { label: 'Verify now', run: () => attempt(() => test(id), 'The verification is on its way.') }
          : undefined,
  }
}

/** A button with all actions of a subscription. Nothing for a visitor who may do none. */
export function SubscriptionMenu(props: { org: string; subscription: SubscriptionView; dialogs: SubscriptionDialogs }) {
  const { org, subscription, dialogs } = props
  const mayEdit = useMay('subscriptions.edit')
  const mayDelete = useMay('subscriptions.delete')
  const actions = useSubscriptionActions(org, subscription)
  if (!mayEdit && !mayDelete) return null
  return (
    <Menu position="bottom-end" shadow="md" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${hostOf(subscription.url)}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => dialogs.edit(subscription)}>
              Edit…
            </Menu.Item>
            {actions.send && (
              <Menu.Item leftSection={<IconSend size={16} aria-hidden />} onClick={actions.send.run}>
                {actions.send.label}
              </Menu.Item>
            )}
            {actions.canPause ? (
              <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={actions.pause}>
                Pause
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={actions.resume}>
                Resume
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => dialogs.rotate(subscription)}>
              Rotate secret…
            </Menu.Item>
          </>
        )}
        {mayDelete && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => dialogs.remove(subscription)}
          >
            Delete…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
