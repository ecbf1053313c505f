import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { onConfirmationRequired } from '../api/confirmation.ts'

const ConfirmationDialog = lazyRouteComponent(() => import('./ConfirmationDialog.tsx'), 'ConfirmationDialog')

/** Opens the dialog when a request requires a confirmation. The request is then sent again. */
export function Confirmation() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const settle = useRef<((confirmed: boolean) => void) | undefined>(undefined)
  useEffect(() => {
    const unregister = onConfirmationRequired(() => {
      setState('open')
      return new Promise((resolve) => {
        settle.current = resolve
      })
    })
    return () => {
      unregister()
      // Left by Back: the next request must be able to ask.
      settle.current?.(false)
    }
  }, [])
  const close = (confirmed: boolean) => {
    setState('closed')
    settle.current?.(confirmed)
  }
  if (state === 'never') return null
  return (
    <Suspense>
      <ConfirmationDialog isOpen={state === 'open'} onClose={close} />
    </Suspense>
  )
}
