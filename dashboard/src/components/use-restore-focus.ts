import { useEffect, useRef } from 'react'

/** Longer than a dialog's fade-out and its focus return. */
const CLOSE_DELAY_MS = 400

/**
 * The element that opened a dialog may be gone once it closes: a menu item, the button of the empty state, the row of a revoked
 * key. The focus then moves to the menu's button or else to the page's heading, not to the top of the document. Returns a
 * function to call when a dialog opens.
 */
export function useRestoreFocus(isOpen: boolean): () => void {
  const menuButtonId = useRef<string | null>(null)
  useEffect(() => {
    if (!isOpen) return
    return () => {
      setTimeout(() => focusIfLost(menuButtonId.current), CLOSE_DELAY_MS)
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
