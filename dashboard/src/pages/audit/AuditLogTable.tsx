import { Code } from '@mantine/core'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Faint } from '../../components/Faint.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { AuditEntryLine } from './AuditEntryLine.tsx'

/** Entries of the audit log, each as a sentence. */
export function AuditLogTable(props: { org?: string | undefined; entries: readonly AuditView[]; caption: string }) {
  return (
    <DataTable
      caption={props.caption}
      columns={columnsOf(props.org)}
      rows={props.entries}
      rowKey={(entry) => String(entry.id)}
      dense
    />
  )
}

function columnsOf(org: string | undefined): TableColumn<AuditView>[] {
  return [
    {
      key: 'what',
      header: 'Event',
      isRowHeader: true,
      render: (entry) => <AuditEntryLine org={org} entry={entry} />,
    },
    {
      key: 'address',
      header: 'Network address',
      width: '160px',
      render: (entry) => (entry.address ? <Code>{entry.address}</Code> : <Faint>None</Faint>),
    },
    { key: 'time', header: 'Time', isTime: true, width: '200px', render: (entry) => <Timestamp at={entry.atMs} /> },
  ]
}
