import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { KeyView, NewKey } from '../../../../src/shared/shapes.ts'
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './KeyFormDialogs.tsx'
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
  const rememberOpener = useFocusAfterwards(open !== undefined)
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
 * What opened a dialog may be gone once it closes: the item of a menu, the button of the empty page, the row of a revoked key. Whoever
 * uses the keyboard then goes on at the menu's button, or else at the page's heading, not at the top of the document. Returns what
 * is to be called when a dialog opens.
 */
function useFocusAfterwards(isOpen: boolean): () => void {
  const menuButtonId = useRef<string | null>(null)
  useEffect(() => {
    if (!isOpen) return
    return () => {
      setTimeout(() => focusIfLost(menuButtonId.current), CLOSED_AFTER_MS)
    }
  }, [isOpen])
  return () => {
    const menu = document.activeElement?.closest('[role="menu"]')
    menuButtonId.current = menu?.getAttribute('aria-labelledby') ?? null
  }
}

function focusIfLost(menuButtonId: string | null) {
  if (document.activeElement !== document.body) return
  const button = menuButtonId === null ? null : document.getElementById(menuButtonId)
  const target = button ?? document.querySelector('h1')
  target?.focus({ preventScroll: true })
}
