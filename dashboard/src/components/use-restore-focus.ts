import { useEffect, useRef, useState } from 'react'

/** Longer than a dialog's fade-out and its focus return. */
const CLOSE_DELAY_MS = 400

/** The state of a dialog that restores the focus when it closes. */
export function useDialog(): { readonly isOpen: boolean; readonly open: () => void; readonly close: () => void } {
  const [isOpen, setOpen] = useState(false)
  const rememberOpener = useRestoreFocus(isOpen)
  const open = () => {
    rememberOpener()
    setOpen(true)
  }
  return { isOpen, open, close: () => setOpen(false) }
}

/**
 * Where the focus moves if it is lost when a dialog closes, because a question closed with it or its opener is gone: to the element
 * that opened the dialog, or to the button of the menu with that element. If this is gone, too, such as the button of the empty state
 * or the row of a revoked key, to the page's heading, not to the top of the document. Returns a function to call when a dialog opens.
 */
export function useRestoreFocus(isOpen: boolean): () => void {
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (!isOpen) return
    return () => {
      setTimeout(() => focusIfLost(opener.current), CLOSE_DELAY_MS)
    }
  }, [isOpen])
  return () => {
    const active = document.activeElement
    const menu = active?.closest('[role="menu"]')
    opener.current = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  }
}

/**
 * A ref. When the element goes, and the focus with it, such as a row with its button, the focus moves to the heading of its section,
 * outside of sections to the page's heading. It stays if the visitor last used something else.
 */
export function focusHeadingWhenGone(element: HTMLElement | null): () => void {
  const heading = element?.closest('section')?.querySelector('h2')
  const listening = new AbortController()
  let isInUse = false
  const note = ({ target }: Event) => {
    isInUse = target instanceof Element && element?.contains(target.closest('a, button')) === true
  }
  // A button loses the focus when it is disabled, and has none after a click in Safari.
  for (const type of ['focusin', 'click'])
    document.addEventListener(type, note, { capture: true, signal: listening.signal })
  return () => {
    listening.abort()
    setTimeout(() => {
      if (isInUse && !element?.isConnected) focusIfLost(heading ?? null)
    })
  }
}

function focusIfLost(opener: Element | null) {
  if (document.activeElement !== document.body) return
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
  const target = isThere ? opener : document.querySelector('h1')
  target?.focus({ preventScroll: true })
}
