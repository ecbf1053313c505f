import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { KeyView, NewKey } from '../../../../src/shared/contract/keys.ts'
import { useRestoreFocus } from '../../components/use-restore-focus.ts'

// They load after the page.
const dialogs = () => import('./dialogs.ts')
const CreateKeyDialog = lazyRouteComponent(dialogs, 'CreateKeyDialog')
const EditKeyDialog = lazyRouteComponent(dialogs, 'EditKeyDialog')
const RotateKeyDialog = lazyRouteComponent(dialogs, 'RotateKeyDialog')
const RevokeKeyDialog = lazyRouteComponent(dialogs, 'RevokeKeyDialog')
const SecretDialog = lazyRouteComponent(dialogs, 'SecretDialog')

type Open = 'create' | 'edit' | 'rotate' | 'revoke' | 'secret'

/** The key dialogs, to be rendered once per page, and functions that open them. */
export interface KeyDialogs {
  readonly element: ReactNode
  readonly create: () => void
  readonly edit: (key: KeyView) => void
  readonly rotate: (key: KeyView) => void
  readonly revoke: (key: KeyView) => void
}

/** Calls `onDone` after the visitor has saved a new key and closed the dialog. */
export function useKeyDialogs(options: {
  org: string
  suggestedName: string
  onDone?: (created: KeyView) => void
}): KeyDialogs {
  const { org } = options
  const [open, setOpen] = useState<Open>()
  // Content stays while a dialog fades out; the next dialog clears the secret at the latest.
  const [keyView, setKeyView] = useState<KeyView>()
  const [created, setCreated] = useState<NewKey>()
  const rememberOpener = useRestoreFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const start = (which: Open, key?: KeyView) => {
    rememberOpener()
    setCreated(undefined)
    setKeyView(key)
    setOpen(which)
  }
  const showSecret = (answer: NewKey) => {
    setCreated(answer)
    setOpen('secret')
  }
  const finish = () => {
    close()
    if (created) options.onDone?.(created.key)
  }
  const element = (
    <Suspense>
      <CreateKeyDialog
        opened={open === 'create'}
        org={org}
        suggestedName={options.suggestedName}
        onCreated={showSecret}
        onClose={close}
      />
      {keyView && <EditKeyDialog opened={open === 'edit'} org={org} keyView={keyView} onClose={close} />}
      {keyView && (
        <RotateKeyDialog
          opened={open === 'rotate'}
          org={org}
          keyView={keyView}
          onRotated={showSecret}
          onClose={close}
        />
      )}
      {keyView && <RevokeKeyDialog opened={open === 'revoke'} org={org} keyView={keyView} onClose={close} />}
      {created && <SecretDialog opened={open === 'secret'} org={org} created={created} onClose={finish} />}
    </Suspense>
  )
  return {
    element,
    create: () => start('create'),
    edit: (key) => start('edit', key),
    rotate: (key) => start('rotate', key),
    revoke: (key) => start('revoke', key),
  }
}
