import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AccountDetailsView } from '../../../../src/shared/contract/operated-accounts.ts'
import { operatedAccountQuery } from '../../api/operator-queries.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Facts } from '../../components/Facts.tsx'
import { BackLink, ButtonLink, PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SuspendedBadge, SuspensionNotice } from '../../components/SuspensionNotice.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { UnloadedPage } from '../../components/UnloadedPage.tsx'
import { describeDevice } from '../account/describe-device.ts'
import { SecurityLog } from '../account/SecurityLog.tsx'
import { ROLE_LABELS } from '../organization/roles.ts'
import { AccountActions } from './AccountActions.tsx'
import { IfOperator } from './IfOperator.tsx'
import { OperatorBadge } from './OperatorBadge.tsx'

/** An account for operators and viewers: its organizations, sign-in methods, sessions and security log. */
export function OperatedAccountPage() {
  const { user = '' } = useParams({ strict: false })
  const details = useQuery(operatedAccountQuery(user))
  const above = <BackLink to="/app/operator/accounts">Accounts</BackLink>
  if (details.data) return <Loaded details={details.data} above={above} />
  const action = <ButtonLink to="/app/operator/accounts">View all accounts</ButtonLink>
  return <UnloadedPage query={details} title="Account" above={above} action={action} />
}

function Loaded({ details, above }: { details: AccountDetailsView; above: ReactNode }) {
  const { account, memberships, sessions } = details
  const { userId, name, email, operatorRole, suspension } = account
  return (
    <>
      <PageHeader
        title={name}
        above={above}
        beside={
          <>
            {operatorRole && <OperatorBadge role={operatorRole} />}
            {suspension && <SuspendedBadge />}
          </>
        }
        actions={
          <IfOperator>
            <AccountActions details={details} />
          </IfOperator>
        }
      >
        {email}
      </PageHeader>
      {suspension && (
        <SuspensionNotice title="This account is suspended" suspension={suspension}>
          Its owner cannot sign in. The API keys of its organizations keep working.
        </SuspensionNotice>
      )}
      <Stack gap="xl">
        <TitledSection title="Sign-in">
          <SignIn details={details} />
        </TitledSection>
        <TitledSection title="Organizations" empty={memberships.length === 0 && 'No organizations.'}>
          <DataTable caption="Organizations" columns={MEMBERSHIP_COLUMNS} rows={memberships} rowKey={({ id }) => id} />
        </TitledSection>
        <TitledSection title="Sessions" empty={sessions.length === 0 && 'No sessions.'}>
          <DataTable caption="Sessions" columns={SESSION_COLUMNS} rows={sessions} rowKey={({ id }) => id} />
        </TitledSection>
        <TitledSection title="Security log">
          <Stack gap="md">
            <SecurityLog user={userId} />
          </Stack>
        </TitledSection>
      </Stack>
    </>
  )
}

function SignIn({ details: { account, signIn } }: { details: AccountDetailsView }) {
  const { emailVerified, createdAtMs, lastSignInAtMs } = account
  const methods = [
    signIn.password && 'Password',
    signIn.singleSignOn && 'Single sign-on',
    signIn.passkeys === 1 && 'A passkey',
    signIn.passkeys > 1 && `${signIn.passkeys} passkeys`,
  ].filter((method) => method !== false)
  return (
    <Facts
      facts={[
        ['Methods', methods.join(', ') || 'None'],
        ['Two-factor authentication', signIn.twoFactor ? 'On' : 'Off'],
        ['Email address', emailVerified ? 'Verified' : 'Not verified'],
        ['Last sign-in', lastSignInAtMs === undefined ? 'Unknown' : <Timestamp key="last" at={lastSignInAtMs} />],
        ['Created', <Timestamp key="created" at={createdAtMs} as="date" />],
      ]}
    />
  )
}

const MEMBERSHIP_COLUMNS: readonly TableColumn<AccountDetailsView['memberships'][number]>[] = [
  {
    key: 'name',
    header: 'Organization',
    isRowHeader: true,
    render: ({ id, name }) => (
      <PageLink to="/app/operator/organizations/$id" params={{ id }} size="sm" fw={600}>
        <bdi>{name}</bdi>
      </PageLink>
    ),
  },
  { key: 'role', header: 'Role', render: ({ role }) => ROLE_LABELS[role] },
  { key: 'status', header: 'Status', render: ({ suspension }) => (suspension ? <SuspendedBadge /> : 'Active') },
]

const SESSION_COLUMNS: readonly TableColumn<AccountDetailsView['sessions'][number]>[] = [
  { key: 'device', header: 'Device', isRowHeader: true, render: ({ userAgent }) => describeDevice(userAgent) },
  { key: 'address', header: 'Network address', render: ({ address }) => address ?? 'Unknown' },
  {
    key: 'created',
    header: 'Signed in',
    isTime: true,
    render: ({ createdAtMs }) => <Timestamp at={createdAtMs} />,
  },
  { key: 'ends', header: 'Expires', isTime: true, render: ({ expiresAtMs }) => <Timestamp at={expiresAtMs} /> },
]
