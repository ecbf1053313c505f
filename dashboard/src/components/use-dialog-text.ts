import { useLayoutEffect, useState } from 'react'

/** A text that the visitor edits in a dialog: `initial` at each opening, whatever was discarded before. */
export function useDialogText(opened: boolean, initial = '') {
  const [text, setText] = useState(initial)
  // Before the dialog can be seen, so that nothing typed is lost.
  useLayoutEffect(() => {
    if (opened) setText(initial)
  }, [opened, initial])
  return [text, setText] as const
}
