import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentProps, Suspense } from 'react'

const ResetLinkModal = lazyRouteComponent(() => import('./ResetLinkModal.tsx'), 'ResetLinkModal')

/** Loads the modal apart from its page: few pages need the code that shows a secret. */
export function ResetLinkDialog(props: ComponentProps<typeof ResetLinkModal>) {
  return (
    <Suspense>
      <ResetLinkModal {...props} />
    </Suspense>
  )
}
