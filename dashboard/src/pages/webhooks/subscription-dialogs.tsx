import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { SubscriptionView, SubscriptionWithSecret } from '../../../../src/shared/contract/subscriptions.ts'
import { useRestoreFocus } from '../../components/use-restore-focus.ts'

// They load after the page.
const dialogs = () => import('./dialogs.ts')
const CreateSubscriptionDialog = lazyRouteComponent(dialogs, 'CreateSubscriptionDialog')
const EditSubscriptionDialog = lazyRouteComponent(dialogs, 'EditSubscriptionDialog')
const RotateSecretDialog = lazyRouteComponent(dialogs, 'RotateSecretDialog')
const DeleteSubscriptionDialog = lazyRouteComponent(dialogs, 'DeleteSubscriptionDialog')
const SubscriptionSecretDialog = lazyRouteComponent(dialogs, 'SubscriptionSecretDialog')

type Open = 'create' | 'edit' | 'rotate' | 'delete' | 'secret'

/** The dialogs of subscriptions, to be rendered once per page, and functions that open them. */
export interface SubscriptionDialogs {
  readonly element: ReactNode
  readonly create: () => void
  readonly edit: (subscription: SubscriptionView) => void
  readonly rotate: (subscription: SubscriptionView) => void
  readonly remove: (subscription: SubscriptionView) => void
}

/** Calls `onCreated` after the visitor has saved the secret of a new subscription. */
export function useSubscriptionDialogs(options: {
  org: string
  onCreated?: (created: SubscriptionView) => void
  onDeleted?: () => void
}): SubscriptionDialogs {
  const { org } = options
  const [open, setOpen] = useState<Open>()
  // Content stays while a dialog fades out; the next dialog clears the secret at the latest.
  const [subscription, setSubscription] = useState<SubscriptionView>()
  const [shown, setShown] = useState<SubscriptionWithSecret>()
  const rememberOpener = useRestoreFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const start = (which: Open, chosen?: SubscriptionView) => {
    rememberOpener()
    setShown(undefined)
    setSubscription(chosen)
    setOpen(which)
  }
  const showSecret = (answer: SubscriptionWithSecret) => {
    setShown(answer)
    setOpen('secret')
  }
  const finish = () => {
    close()
    if (shown && subscription === undefined) options.onCreated?.(shown.subscription)
  }
  const of = { org, onClose: close }
  const element =
    open !== undefined || subscription || shown ? (
      <Suspense>
        <CreateSubscriptionDialog {...of} opened={open === 'create'} onCreated={showSecret} />
        {subscription && <EditSubscriptionDialog {...of} opened={open === 'edit'} subscription={subscription} />}
        {subscription && (
          <RotateSecretDialog
            {...of}
            opened={open === 'rotate'}
            subscription={subscription}
            onRotated={showSecret}
            onClose={() => setOpen((now) => (now === 'rotate' ? undefined : now))}
          />
        )}
        {subscription && (
          <DeleteSubscriptionDialog
            {...of}
            opened={open === 'delete'}
            subscription={subscription}
            onDeleted={options.onDeleted}
          />
        )}
        {shown && <SubscriptionSecretDialog opened={open === 'secret'} created={shown} onClose={finish} />}
      </Suspense>
    ) : null
  return {
    element,
    create: () => start('create'),
    edit: (chosen) => start('edit', chosen),
    rotate: (chosen) => start('rotate', chosen),
    remove: (chosen) => start('delete', chosen),
  }
}
