import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { IconBell } from '../../components/icons.tsx'
import type { ExploreState } from './explore-state.ts'

// It loads when it is opened.
const NotifyMeDialog = lazyRouteComponent(() => import('../webhooks/dialogs.ts'), 'NotifyMeDialog')

/** Creates a subscription with the filters of the page, in an organization of the visitor; the dialog says if none can have one. */
export function NotifyMe({ state }: { state: ExploreState }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconBell size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Notify me
      </Button>
      {opened && (
        <Suspense>
          <NotifyMeDialog state={state} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
