import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OrganizationDetails } from '../../../../src/shared/contract/operated-organizations.ts'
import { call } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '../../components/icons.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { SuspendDialog } from './SuspendDialog.tsx'

/** The actions of an operator on an organization: suspend, resume and delete. */
export function OrganizationActions({ organization }: { organization: OrganizationDetails }) {
  const { name, suspension } = organization
  const [asking, setAsking] = useState<'suspend' | 'resume' | 'delete'>()
  const { suspend, resume, remove } = useActs(organization)
  const close = () => setAsking(undefined)
  return (
    <>
      <Button
        variant="default"
        leftSection={suspension ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        onClick={() => setAsking(suspension ? 'resume' : 'suspend')}
      >
        {suspension ? 'Resume' : 'Suspend'}
      </Button>
      <Button
        variant="default"
        c="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsking('delete')}
      >
        Delete
      </Button>
      <SuspendDialog name={name} opened={asking === 'suspend'} onClose={close} onSuspend={suspend}>
        Requests with its API keys get 403 within a second. Its members see the reason and can only read, revoke keys
        and leave, until you resume it.
      </SuspendDialog>
      <ConfirmDialog
        opened={asking === 'resume'}
        onClose={close}
        title={
          <>
            Resume <bdi>{name}</bdi>?
          </>
        }
        confirmLabel="Resume"
        onConfirm={resume}
      >
        Its API keys work again within a second.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'delete'}
        onClose={close}
        title={
          <>
            Delete <bdi>{name}</bdi>?
          </>
        }
        confirmLabel="Delete organization"
        danger
        typedName={name}
        typedId={organization.id}
        onConfirm={remove}
      >
        All its API keys are revoked and stop working immediately, and its members and invitations are removed. Its
        audit log is kept in the database. This can't be undone.
      </ConfirmDialog>
    </>
  )
}

function useActs({ id: operated, name }: OrganizationDetails) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const params = { operated }
  // The operator may be a member.
  const refetch = () =>
    Promise.all([['operator', 'organizations'], ['me']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  return {
    suspend: async (reason: string) => {
      await call('POST /api/operator/organizations/:operated/suspend', { params, body: { reason } })
      await refetch()
      notifySuccess(`${name} suspended.`)
    },
    resume: async () => {
      await call('POST /api/operator/organizations/:operated/resume', { params })
      await refetch()
      notifySuccess(`${name} resumed.`)
    },
    remove: async () => {
      await call('DELETE /api/operator/organizations/:operated', { params, body: { name } })
      await navigate({ to: '/app/operator/organizations' })
      await refetch()
      notifySuccess(`${name} deleted.`)
    },
  }
}
