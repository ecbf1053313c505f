import { useEffect, useState } from 'react'

/** The open dialogs, the top one last. */
const open: symbol[] = []

/** Returns whether a dialog is the top one: Escape reaches the listeners of all that are open, in the order of their rendering. */
export function useIsTop(opened: boolean): () => boolean {
  const [id] = useState(() => Symbol())
  useEffect(() => {
    if (!opened) return
    open.push(id)
    // Not at once: the event that closes this dialog has yet to reach the others.
    return () => void setTimeout(() => open.splice(open.indexOf(id), 1))
  }, [opened, id])
  return () => open.at(-1) === id
}
