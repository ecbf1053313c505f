import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { lackingSecondFactorQuery } from '../../api/queries.ts'
import { useMay, useMe, useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { whyFixed } from './roles.ts'

/** Whether members need a second factor. The owner changes it, once they have one themselves. */
export function SecondFactorPolicy() {
  const organization = useOrganization()
  const { requiresSecondFactor } = organization
  const me = useMe()
  const mayChange = useMay('organization.require-second-factor')
  const isReady = me.twoFactor || !me.hasPassword
  return (
    <Section
      title="Two-factor authentication"
      description={
        mayChange
          ? 'Members who sign in with a password also need a code from an authenticator app.'
          : whyFixed(organization, 'Only the owner can change whether members need it.')
      }
    >
      <Text size="sm">{requiresSecondFactor ? 'Required of all members.' : 'Not required.'}</Text>
      {mayChange && (
        <Group>
          {isReady ? (
            <Change />
          ) : (
            <ButtonLink to="/app/account" variant="default">
              Set it up for your account first
            </ButtonLink>
          )}
        </Group>
      )}
    </Section>
  )
}

interface Person {
  readonly userId: string
  readonly name: string
  readonly email: string
}

function Change() {
  const { id, name, requiresSecondFactor } = useOrganization()
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const required = !requiresSecondFactor
  const lacking = useQuery({ ...lackingSecondFactorQuery(id), enabled: isConfirming && required })
  const change = async () => {
    await call('POST /api/organizations/:org/second-factor', { params: { org: id }, body: { required } })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess(required ? 'Two-factor authentication is required now.' : 'It is no longer required.')
  }
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {required ? 'Require it' : 'Stop requiring it'}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={required ? 'Require two-factor authentication?' : 'Stop requiring two-factor authentication?'}
        confirmLabel={required ? 'Require' : 'Stop requiring'}
        disabled={required && lacking.isPending}
        onConfirm={change}
      >
        {required ? (
          <Stack gap="sm">
            <Text size="sm">Members without it cannot see {name} until they set it up. API keys keep working.</Text>
            {lacking.isPending && <LoadingRows rows={1} />}
            {lacking.error && <ErrorState error={lacking.error} onRetry={() => lacking.refetch()} />}
            {lacking.data && <LackingMembers {...lacking.data} />}
          </Stack>
        ) : (
          'Members can turn off two-factor authentication for their accounts.'
        )}
      </ConfirmDialog>
    </>
  )
}

/** The members whom the change locks out, so that the owner can tell them first. */
function LackingMembers({ without, total }: { without: readonly Person[]; total: number }) {
  if (total === 0) return <Text size="sm">All members have it already, or sign in without a password.</Text>
  const more = total - without.length
  return (
    <div>
      <Text size="sm" fw={500}>
        {total === 1 ? '1 member is locked out until then:' : `${total} members are locked out until then:`}
      </Text>
      <List size="sm" mt={4} aria-label="Members without two-factor authentication">
        {without.map(({ userId, name, email }) => (
          <List.Item key={userId} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi> ({email})
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {more} more</List.Item>}
      </List>
    </div>
  )
}
