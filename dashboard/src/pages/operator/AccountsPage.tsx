import { Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountView } from '../../../../src/shared/contract/operated-accounts.ts'
import { accountsQuery } from '../../api/operator-queries.ts'
import { useIsOperator } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { IconKey, IconMailCheck, IconMailQuestion } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination } from '../../components/Pagination.tsx'
import { pageOf } from '../../components/page-number.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { SuspendedBadge } from '../../components/SuspensionNotice.tsx'
import { ErrorState, LoadingRows, NothingFound, Refreshing } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { ListPage } from './ListPage.tsx'
import { OperatorBadge } from './OperatorBadge.tsx'
import { ResetLinkDialog } from './ResetLinkDialog.tsx'

const PAGE = 25

/** All accounts, with password reset links. Search and page are in the URL. */
export function AccountsPage() {
  const { wanted, page, go } = useAccountsQuery()
  const [resetting, setResetting] = useState<AccountView>()
  const [signingOut, setSigningOut] = useState<AccountView>()
  const accounts = useQuery(
    accountsQuery({ ...(wanted && { search: wanted }), limit: PAGE, offset: (page - 1) * PAGE }),
  )
  const { data } = accounts
  const columns = useIsOperator() ? [...COLUMNS, actionsColumn(setResetting, setSigningOut)] : COLUMNS
  return (
    <>
      <PageHeader title="Accounts">
        People who can sign in. Create a reset link for anyone who forgot their password and can't receive email.
      </PageHeader>
      <Box mb="md">
        <SearchField label="Search by name or email" wanted={wanted} onSettle={(text) => go(text, 1)} />
      </Box>
      {accounts.isPending && <LoadingRows rows={10} height={56} />}
      {accounts.isError && <ErrorState error={accounts.error} onRetry={() => accounts.refetch()} />}
      {data?.total === 0 && <NothingFound search={wanted} onClear={() => go('', 1)} />}
      {data !== undefined && data.total > 0 && (
        <Refreshing isOutdated={accounts.isPlaceholderData}>
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {data.total === 1 ? '1 account' : `${formatCount(data.total)} accounts`}
          </Text>
          <ListPage isPastLast={data.accounts.length === 0} onFirst={() => go(wanted, 1)}>
            <DataTable caption="Accounts" columns={columns} rows={data.accounts} rowKey={({ userId }) => userId} />
            <TablePagination
              label="Account pages"
              page={page}
              size={PAGE}
              total={data.total}
              offset={data.offset}
              onPage={(next) => go(wanted, next)}
            />
          </ListPage>
        </Refreshing>
      )}
      <ResetLinkDialog account={resetting} onClose={() => setResetting(undefined)} />
      <EndSessionsDialog account={signingOut} onClose={() => setSigningOut(undefined)} />
    </>
  )
}

function useAccountsQuery() {
  const { search, page } = useSearch({ strict: false }) as { search?: string; page?: string }
  const navigate = useNavigate()
  const go = (text: string, next: number) =>
    void navigate({
      to: '/app/operator/accounts',
      search: { ...(text && { search: text }), ...(next > 1 && { page: String(next) }) } as never,
      resetScroll: false,
    })
  return { wanted: search ?? '', page: pageOf(page), go }
}

const COLUMNS: readonly TableColumn<AccountView>[] = [
  { key: 'name', header: 'Account', isRowHeader: true, render: (account) => <Name account={account} /> },
  { key: 'email', header: 'Email', width: '220px', render: (account) => <EmailStatus account={account} /> },
  {
    key: 'created',
    header: 'Created',
    isTime: true,
    render: ({ createdAtMs }) => <Timestamp at={createdAtMs} as="date" />,
  },
  {
    key: 'signed-in',
    header: 'Last sign-in',
    render: ({ lastSignInAtMs }) =>
      lastSignInAtMs === undefined ? 'Unknown' : <Timestamp at={lastSignInAtMs} as="ago" />,
  },
  {
    key: 'organizations',
    header: 'Organizations',
    align: 'end',
    render: ({ organizations }) => formatCount(organizations),
  },
]

function actionsColumn(
  onReset: (account: AccountView) => void,
  onSignOut: (account: AccountView) => void,
): TableColumn<AccountView> {
  return {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    width: '240px',
    render: (account) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconKey size={14} aria-hidden />}
          onClick={() => onReset(account)}
          aria-label={`Reset link for ${account.email}`}
        >
          Reset link
        </Button>
        <Button
          variant="default"
          size="xs"
          onClick={() => onSignOut(account)}
          aria-label={`End sessions of ${account.email}`}
        >
          End sessions
        </Button>
      </Group>
    ),
  }
}

function Name({ account }: { account: AccountView }) {
  return (
    <Group gap="xs">
      <PageLink to="/app/operator/accounts/$user" params={{ user: account.userId }} size="sm" fw={600}>
        <bdi>{account.name}</bdi>
      </PageLink>
      {account.suspension && <SuspendedBadge />}
      {account.operatorRole && <OperatorBadge role={account.operatorRole} />}
    </Group>
  )
}

function EmailStatus({ account }: { account: AccountView }) {
  const Icon = account.emailVerified ? IconMailCheck : IconMailQuestion
  return (
    <div style={{ minWidth: 140 }}>
      <span style={{ overflowWrap: 'anywhere' }}>{account.email}</span>
      <Group gap={4} c="dimmed" fz="xs">
        <Icon size={13} aria-hidden />
        {account.emailVerified ? 'Verified' : 'Not verified'}
      </Group>
    </div>
  )
}
