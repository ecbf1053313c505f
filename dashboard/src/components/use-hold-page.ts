import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * While `isHeld`, neither Back nor a link leaves the page, but calls `onLeave`; before a reload the browser asks. For dialogs that show
 * a secret once, and while it is being created.
 */
export function useHoldPage(isHeld: boolean, onLeave: () => void = () => undefined): void {
  const { history } = useRouter()
  useEffect(() => {
    if (!isHeld) return
    const blockerFn = () => {
      onLeave()
      return true
    }
    return history.block({ blockerFn })
  })
}
