import { Button, Group, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, path } from '../../api/client.ts'
import { membersQuery } from '../../api/queries.ts'
import { useMe, useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { PageLink } from '../../components/links.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'

/** The owner hands the organization to another member. */
export function TransferOrganization() {
  const { id, name } = useOrganization()
  const me = useMe()
  const members = useQuery(membersQuery(id))
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const others = (members.data ?? []).filter(({ userId }) => userId !== me.userId)
  const heir = others.find(({ userId }) => userId === chosen)
  const transfer = async () => {
    await api.post(path`/organizations/${id}/transfer`, { userId: chosen })
    await queryClient.invalidateQueries({ queryKey: ['organizations', id] })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess(`${heir?.name} now owns ${name}.`)
  }
  return (
    <Section
      title="Owner"
      description="An organization has one owner. Hand it over, and you stay as an admin."
    >
      {members.isPending && <LoadingBlock height={60} />}
      {members.error && <ErrorState error={members.error} onRetry={() => members.refetch()} />}
      {members.data && others.length === 0 && (
        <Text size="sm">
          You are the only member.{' '}
          <PageLink to="/app/o/$org/members" params={{ org: id }} underline="always">
            Invite somebody
          </PageLink>{' '}
          to hand it over.
        </Text>
      )}
      {others.length > 0 && (
        <Group align="flex-end" gap="sm">
          <Select
            label="New owner"
            placeholder="Choose a member"
            data={others.map((one) => ({ value: one.userId, label: `${one.name} (${one.email})` }))}
            value={chosen}
            onChange={setChosen}
            flex="1 1 240px"
          />
          <Button variant="default" disabled={!heir} onClick={() => setAsked(true)}>
            Hand over
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Hand ${name} over?`}
        confirmLabel="Hand over"
        danger
        onConfirm={transfer}
      >
        <b>{heir?.name}</b> becomes the owner, and you an admin. Only they can give it back.
      </ConfirmDialog>
    </Section>
  )
}
