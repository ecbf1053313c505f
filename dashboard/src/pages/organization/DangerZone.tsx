import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, path } from '../../api/client.ts'
import { meQuery } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'

/** The owner deletes the organization; its name must be typed. */
export function DeleteOrganization() {
  const { id, name } = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const leavePage = useLeavePage()
  const remove = async () => {
    await api.remove(path`/organizations/${id}`, { name })
    await leavePage()
    notifySuccess(`${name} is deleted.`)
  }
  return (
    <Section title="Delete" description="All its keys are refused at once. This cannot be taken back.">
      <Group>
        <Button color="red" variant="outline" onClick={() => setAsked(true)}>
          Delete {name}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Delete ${name}?`}
        confirmLabel="Delete organization"
        danger
        typedName={name}
        onConfirm={remove}
      >
        Its keys, members, usage and audit log go with it. Whoever calls the service with one of its keys gets
        a 401 from that moment.
      </ConfirmDialog>
    </Section>
  )
}

/** A member or an admin leaves. */
export function LeaveOrganization() {
  const { id, name } = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const leavePage = useLeavePage()
  const leave = async () => {
    await api.post(path`/organizations/${id}/leave`)
    await leavePage()
    notifySuccess(`You left ${name}.`)
  }
  return (
    <Section title="Leave" description="Keys that you made stay, and go on working.">
      <Group>
        <Button color="red" variant="outline" onClick={() => setAsked(true)}>
          Leave {name}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Leave ${name}?`}
        confirmLabel="Leave"
        danger
        onConfirm={leave}
      >
        To come back you need a new invitation.
      </ConfirmDialog>
    </Section>
  )
}

/** Goes on once the organization of the address is no longer the visitor's: away first, so that no page of it is drawn without it. */
function useLeavePage(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async () => {
    await router.navigate({ to: '/app/account', replace: true })
    await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    await router.navigate({ to: '/app', replace: true })
  }
}
