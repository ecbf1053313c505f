import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useMe } from '../../api/session.ts'
import { IconBell } from '../../components/icons.tsx'
import { lastOrganization } from '../../layout/last-organization.ts'
import type { ExploreState } from './explore-state.ts'

// It loads when it is opened.
const NotifyMeDialog = lazyRouteComponent(() => import('../webhooks/dialogs.ts'), 'NotifyMeDialog')

/** Creates a subscription with the filters of the page, in an organization of the visitor; nothing for those who may not. */
export function NotifyMe({ state }: { state: ExploreState }) {
  const me = useMe()
  const able = me.organizations.filter(({ may }) => may.includes('subscriptions.create'))
  const last = lastOrganization(me)
  const [opened, setOpened] = useState(false)
  if (able.length === 0) return null
  const org = able.find(({ id }) => id === last?.id) ?? able[0]
  return (
    <>
      <Button variant="default" leftSection={<IconBell size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Notify me
      </Button>
      {opened && (
        <Suspense>
          <NotifyMeDialog organizations={able} first={org.id} state={state} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
