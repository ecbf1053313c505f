import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what opened a dialog once the dialog is gone. For dialogs that are mounted only while they are open
 * (`{opened && <InviteDialog />}`); those that get `opened` as a prop do it themselves.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog's own trap has let go of the focus.
      setTimeout(() => {
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    },
    [opener],
  )
}
