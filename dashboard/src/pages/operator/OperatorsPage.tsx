import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { OperatorView } from '../../../../src/shared/contract/operator.ts'
import { operatorsQuery } from '../../api/operator-queries.ts'
import { useIsOperator } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Faint } from '../../components/Faint.tsx'
import { IconUserPlus } from '../../components/icons.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Person } from '../../components/Person.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { AddOperatorDialog } from './AddOperatorDialog.tsx'
import { OperatorActions } from './OperatorActions.tsx'
import { OperatorBadge } from './OperatorBadge.tsx'

/** The people who run the service, and their roles. */
export function OperatorsPage() {
  const operators = useQuery(operatorsQuery)
  const mayChange = useIsOperator()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <PageHeader
        title="Operators"
        actions={
          mayChange && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
              Add
            </Button>
          )
        }
      >
        People who run this service. Operators change it; viewers see the same pages and change nothing.
      </PageHeader>
      {operators.isPending && <LoadingRows rows={3} height={56} />}
      {operators.isError && <ErrorState error={operators.error} onRetry={() => operators.refetch()} />}
      {operators.data && (
        <DataTable
          caption="Operators"
          columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
          rows={operators.data}
          rowKey={({ userId }) => userId}
        />
      )}
      {opened && <AddOperatorDialog onClose={close} />}
    </>
  )
}

const COLUMNS: readonly TableColumn<OperatorView>[] = [
  {
    key: 'person',
    header: 'Person',
    isRowHeader: true,
    render: ({ userId, name, email }) => (
      <Person userId={userId} email={email}>
        <bdi>{name}</bdi>
      </Person>
    ),
  },
  { key: 'role', header: 'Role', render: ({ role }) => <OperatorBadge role={role} /> },
  {
    key: 'added',
    header: 'Added',
    isTime: true,
    render: ({ addedAtMs }) =>
      addedAtMs === undefined ? <Faint>In OPERATOR_EMAILS</Faint> : <Timestamp at={addedAtMs} as="date" />,
  },
]

const ACTIONS: TableColumn<OperatorView> = {
  key: 'actions',
  header: 'Actions',
  quiet: true,
  corner: true,
  align: 'end',
  render: (operator) => <OperatorActions operator={operator} />,
}
