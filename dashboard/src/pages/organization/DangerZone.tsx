import { Anchor, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { auditCsvUrl, meQuery } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'

/** Lets the owner delete the organization after typing its name or ID. */
export function DeleteOrganization() {
  const { id, name } = useOrganization()
  const [isConfirming, setConfirming] = useState(false)
  const leavePage = useLeavePage()
  const remove = async () => {
    await call('DELETE /api/organizations/:org', { params: { org: id }, body: { name } })
    await leavePage()
    notifySuccess(`${name} deleted.`)
  }
  return (
    <Section title="Delete organization" description="All its API keys stop working immediately. This can't be undone.">
      <Group>
        <Button color="red" variant="outline" onClick={() => setConfirming(true)}>
          <span>
            Delete <bdi>{name}</bdi>
          </span>
        </Button>
      </Group>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={
          <>
            Delete <bdi>{name}</bdi>?
          </>
        }
        confirmLabel="Delete organization"
        danger
        typedName={name}
        typedId={id}
        onConfirm={remove}
      >
        All its API keys are revoked and stop working immediately, and its members and invitations are removed. The
        audit log is kept in the database, but members can no longer view it:{' '}
        <Anchor href={auditCsvUrl(id, {})} download underline="always" inherit>
          download it as CSV
        </Anchor>{' '}
        first if you need it. This can't be undone.
      </ConfirmDialog>
    </Section>
  )
}

/** Lets a member or an admin leave. */
export function LeaveOrganization() {
  const { id, name } = useOrganization()
  const [isConfirming, setConfirming] = useState(false)
  const leavePage = useLeavePage()
  const leave = async () => {
    await call('POST /api/organizations/:org/leave', { params: { org: id } })
    await leavePage()
    notifySuccess(`You left ${name}.`)
  }
  return (
    <Section title="Leave organization" description="API keys that you created stay active.">
      <Group>
        <Button color="red" variant="outline" onClick={() => setConfirming(true)}>
          <span>
            Leave <bdi>{name}</bdi>
          </span>
        </Button>
      </Group>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={
          <>
            Leave <bdi>{name}</bdi>?
          </>
        }
        confirmLabel="Leave"
        danger
        onConfirm={leave}
      >
        You need a new invitation to rejoin.
      </ConfirmDialog>
    </Section>
  )
}

/** Leaves the organization's pages once the visitor has lost access: navigates away first so that none renders without it. */
function useLeavePage(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async () => {
    await router.navigate({ to: '/app/account', replace: true })
    await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    await router.navigate({ to: '/app', replace: true })
  }
}
