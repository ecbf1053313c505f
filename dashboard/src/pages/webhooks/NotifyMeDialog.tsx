import { Modal, Select, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OrganizationView } from '../../../../src/shared/contract/organizations.ts'
import type { SubscriptionWithSecret } from '../../../../src/shared/contract/subscriptions.ts'
import { useMe } from '../../api/session.ts'
import { FormModal } from '../../components/FormModal.tsx'
import { useReturnFocus } from '../../components/use-return-focus.ts'
import { lastOrganization } from '../../layout/last-organization.ts'
import type { ExploreState } from '../explore/explore-state.ts'
import { SubscriptionSecretDialog } from './SubscriptionConfirmations.tsx'
import { CreateForm } from './SubscriptionForm.tsx'
import { filtersOf } from './subscription-labels.ts'

const TITLE = 'Notify me when slots open'

interface NotifyMeProps {
  readonly state: ExploreState
  readonly onClose: () => void
}

/** Creates a subscription with the filters of Explore, shows its secret, then its page; or says why the visitor cannot. */
export function NotifyMeDialog(props: NotifyMeProps) {
  const me = useMe()
  const able = me.organizations.filter(({ may }) => may.includes('subscriptions.create'))
  const last = lastOrganization(me)
  const first = able.find(({ id }) => id === last?.id) ?? able.at(0)
  useReturnFocus()
  if (first !== undefined) return <NotifyMeForm {...props} organizations={able} first={first.id} />
  return (
    <Modal opened onClose={props.onClose} title={TITLE}>
      <Text size="sm">
        {me.organizations.length === 0
          ? 'Subscriptions belong to an organization. Create one, or ask for an invitation, to be notified.'
          : 'Subscriptions can be created once the organization is resumed.'}
      </Text>
    </Modal>
  )
}

function NotifyMeForm(props: NotifyMeProps & { organizations: readonly OrganizationView[]; first: string }) {
  const { organizations, onClose } = props
  const [org, setOrg] = useState(props.first)
  const [filters] = useState(() => filtersOf(props.state))
  const [created, setCreated] = useState<SubscriptionWithSecret>()
  const navigate = useNavigate()
  const finish = () => {
    onClose()
    const id = created?.subscription.id ?? ''
    void navigate({ to: '/app/o/$org/webhooks/$subscription', params: { org, subscription: id } })
  }
  if (created) return <SubscriptionSecretDialog opened created={created} onClose={finish} />
  return (
    <FormModal opened onClose={onClose} title={TITLE}>
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
        <CreateForm org={org} filters={filters} onCreated={setCreated} />
      </Stack>
    </FormModal>
  )
}
