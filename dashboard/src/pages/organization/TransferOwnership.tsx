import { Button, Group, Select, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { memberPages } from '../../api/queries.ts'
import { useMe, useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { PageLink } from '../../components/links.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { isolated } from '../../components/names.ts'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'

/** Transfers ownership to another member. */
export function TransferOrganization() {
  const { id, name } = useOrganization()
  const me = useMe()
  const members = useInfiniteQuery(memberPages(id))
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<string | null>(null)
  const [isConfirming, setConfirming] = useState(false)
  const others = (members.data ?? []).filter(({ userId }) => userId !== me.userId)
  const newOwner = others.find(({ userId }) => userId === chosen)
  const transfer = async () => {
    if (chosen === null) return
    await call('POST /api/organizations/:org/transfer', { params: { org: id }, body: { userId: chosen } })
    await queryClient.invalidateQueries({ queryKey: ['organizations', id] })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess(`${isolated(newOwner?.name ?? '')} now owns ${isolated(name)}.`)
  }
  return (
    <Section
      title="Transfer ownership"
      description="An organization has one owner. After a transfer, you stay as an admin."
    >
      {members.isPending && <LoadingBlock height={60} />}
      {members.isLoadingError && <ErrorState error={members.error} onRetry={() => members.refetch()} />}
      {members.data && others.length === 0 && (
        <Text size="sm">
          You're the only member.{' '}
          <PageLink to="/app/o/$org/members" params={{ org: id }} underline="always">
            Invite someone
          </PageLink>{' '}
          to transfer ownership.
        </Text>
      )}
      {others.length > 0 && (
        <Group align="flex-end" gap="sm">
          <Select
            label="New owner"
            placeholder="Choose a member"
            data={others.map((one) => ({ value: one.userId, label: `${isolated(one.name)} (${one.email})` }))}
            value={chosen}
            onChange={setChosen}
            flex="1 1 240px"
          />
          <Button variant="default" disabled={!newOwner} onClick={() => setConfirming(true)}>
            Transfer
          </Button>
        </Group>
      )}
      <MoreButton query={members}>Show more members</MoreButton>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Transfer ${name}?`}
        confirmLabel="Transfer ownership"
        danger
        onConfirm={transfer}
      >
        <b>
          <bdi>{newOwner?.name}</bdi>
        </b>{' '}
        becomes the owner, and you become an admin. Only they can transfer it back.
      </ConfirmDialog>
    </Section>
  )
}
