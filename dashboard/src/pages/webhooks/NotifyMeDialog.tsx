import { Modal, Select, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OrganizationView } from '../../../../src/shared/contract/organizations.ts'
import type { SubscriptionWithSecret } from '../../../../src/shared/contract/subscriptions.ts'
import { useReturnFocus } from '../../components/use-return-focus.ts'
import type { ExploreState } from '../explore/explore-state.ts'
import { SubscriptionSecretDialog } from './SubscriptionConfirmations.tsx'
import { CreateForm } from './SubscriptionForm.tsx'
import { filtersOf } from './subscription-labels.ts'

/** Creates a subscription with the filters of Explore, shows its secret, then its page. */
export function NotifyMeDialog(props: {
  organizations: readonly OrganizationView[]
  first: string
  state: ExploreState
  onClose: () => void
}) {
  const { organizations, onClose } = props
  const [org, setOrg] = useState(props.first)
  const [filters] = useState(() => filtersOf(props.state))
  const [created, setCreated] = useState<SubscriptionWithSecret>()
  const navigate = useNavigate()
  useReturnFocus()
  const finish = () => {
    onClose()
    const id = created?.subscription.id ?? ''
    void navigate({ to: '/app/o/$org/webhooks/$subscription', params: { org, subscription: id } })
  }
  if (created) return <SubscriptionSecretDialog opened created={created} onClose={finish} />
  return (
    <Modal opened onClose={onClose} title="Notify me when slots open">
      <Stack gap="md">
        {organizations.length > 1 && (
          <Select
            label="Organization"
            data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            value={org}
            onChange={(value) => value && setOrg(value)}
            allowDeselect={false}
          />
        )}
        <CreateForm org={org} filters={filters} onCreated={setCreated} onClose={onClose} />
      </Stack>
    </Modal>
  )
}
