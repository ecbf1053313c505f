import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import type { OperatedMember, OrganizationDetails } from '../../../../src/shared/contract/operated-organizations.ts'
import { call } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { isolated } from '../../components/names.ts'
import { notifySuccess } from '../../components/notify.ts'

interface Transfer {
  readonly organization: Pick<OrganizationDetails, 'id' | 'name'>
  readonly member: OperatedMember
}

/** Transfers an organization to a member, for example when its owner is gone. */
export function MakeOwner({ organization, member: { userId, name } }: Transfer) {
  const [opened, { open, close }] = useDisclosure()
  const queryClient = useQueryClient()
  const transfer = async () => {
    const params = { operated: organization.id }
    await call('POST /api/operator/organizations/:operated/transfer', { params, body: { userId } })
    await queryClient.invalidateQueries({ queryKey: ['operator', 'organizations'] })
    // The operator may be a member.
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess(`${isolated(name)} now owns ${isolated(organization.name)}.`)
  }
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Make owner: ${name}`} onClick={open}>
        Make owner
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={
          <>
            Make <bdi>{name}</bdi> the owner?
          </>
        }
        confirmLabel="Make owner"
        danger
        onConfirm={transfer}
      >
        The current owner becomes an admin. Only the new owner, or an operator, can transfer it back.
      </ConfirmDialog>
    </>
  )
}
