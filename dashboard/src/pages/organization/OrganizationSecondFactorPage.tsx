import { Button, Container, Stack } from '@mantine/core'
import { useOrganization } from '../../api/session.ts'
import { IconShieldCheck } from '../../components/icons.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState } from '../../components/states.tsx'
import { TurnOnDialog } from '../account/TwoFactorDialogs.tsx'
import { LeaveOrganization } from './DangerZone.tsx'

/**
 * Replaces the pages of an organization for members who have yet to set up a second factor that it requires, and while they do:
 * `onSetUp` opens and closes the dialog.
 */
export function OrganizationSecondFactorPage(props: { isSettingUp: boolean; onSetUp: (isSettingUp: boolean) => void }) {
  const organization = useOrganization()
  return (
    <Container size="sm" py="xl">
      <PageHeader title={organization.name} />
      <Stack gap="xl">
        <EmptyState
          icon={<IconShieldCheck aria-hidden />}
          title="This organization requires two-factor authentication"
          action={<Button onClick={() => props.onSetUp(true)}>Set up</Button>}
        >
          Its owner asks all members who sign in with a password for a code from an authenticator app, too. Set it up to
          see the organization.
        </EmptyState>
        {organization.role !== 'owner' && <LeaveOrganization />}
      </Stack>
      {props.isSettingUp && <TurnOnDialog onClose={() => props.onSetUp(false)} />}
    </Container>
  )
}
