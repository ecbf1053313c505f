import { useEffect, useState } from 'react'

/**
 * Returns the focus to the element that opened a dialog. For dialogs that are mounted only while they are open
 * (`{opened && <InviteDialog />}`); dialogs with an `opened` prop do this themselves.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog's focus trap has released the focus.
      setTimeout(() => {
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    },
    [opener],
  )
}
