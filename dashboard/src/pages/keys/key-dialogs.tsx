import { type ReactNode, useEffect, useState } from 'react'
import type { KeyView, NewKey } from '../../../../src/account/shapes.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'

type Open = 'create' | 'rotate' | 'revoke' | 'secret'

/** The dialogs about keys, to be rendered once by a page, and what opens them. */
export interface KeyDialogs {
  readonly element: ReactNode
  readonly create: () => void
  readonly rotate: (key: KeyView) => void
  readonly revoke: (key: KeyView) => void
}

/** `onDone` is called once a new key was stored and its dialog closed. */
export function useKeyDialogs(options: {
  org: string
  suggestedName: string
  onDone?: (created: KeyView) => void
}): KeyDialogs {
  const { org } = options
  const [open, setOpen] = useState<Open>()
  // What a dialog is about stays while it fades out; the secret alone is forgotten with the next dialog at the latest.
  const [keyView, setKeyView] = useState<KeyView>()
  const [created, setCreated] = useState<NewKey>()
  useFocusAfterwards(open !== undefined)
  const close = () => setOpen(undefined)
  const start = (which: Open, key?: KeyView) => {
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
    <>
      <CreateKeyDialog
        opened={open === 'create'}
        org={org}
        suggestedName={options.suggestedName}
        onCreated={showSecret}
        onClose={close}
      />
      {keyView && (
        <RotateKeyDialog
          opened={open === 'rotate'}
          org={org}
          keyView={keyView}
          onRotated={showSecret}
          onClose={close}
        />
      )}
      {keyView && (
        <RevokeKeyDialog
          key={keyView.id}
          opened={open === 'revoke'}
          org={org}
          keyView={keyView}
          onClose={close}
        />
      )}
      {created && <SecretDialog opened={open === 'secret'} org={org} created={created} onClose={finish} />}
    </>
  )
  return {
    element,
    create: () => start('create'),
    rotate: (key) => start('rotate', key),
    revoke: (key) => start('revoke', key),
  }
}

/** By then a dialog has faded out and given the focus back. */
const CLOSED_AFTER_MS = 400

/**
 * What opened a dialog may be gone once it closes: the button of the empty page, the row of a revoked key. Whoever uses the
 * keyboard then goes on at the page's heading, not at the top of the document.
 */
function useFocusAfterwards(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return
    return () => {
      setTimeout(focusHeadingIfLost, CLOSED_AFTER_MS)
    }
  }, [isOpen])
}

function focusHeadingIfLost() {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}
