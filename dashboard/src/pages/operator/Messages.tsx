import { Text } from '@mantine/core'
import type { SourceDetail } from '../../../../src/shared/contract/sources.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import classes from './operator.module.css'

type Message = SourceDetail['messages'][number]

/** The publisher's reports about its feed in the last good sync, the most severe first. */
export function Messages({ messages }: { messages: readonly Message[] }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        Reported by the publisher in the last successful sync.
      </Text>
      <DataTable
        caption="Messages"
        dense
        columns={COLUMNS}
        rows={messages}
        rowKey={({ severity, text }) => `${severity} ${text}`}
      />
    </>
  )
}

const COLUMNS: readonly TableColumn<Message>[] = [
  {
    key: 'text',
    header: 'Message',
    isRowHeader: true,
    render: ({ text }) => <div className={classes.reason}>{text}</div>,
  },
  { key: 'severity', header: 'Severity', render: ({ severity }) => SEVERITY_LABELS[severity] },
]

const SEVERITY_LABELS: Readonly<Record<Message['severity'], string>> = {
  fatal: 'Fatal',
  error: 'Error',
  warning: 'Warning',
  information: 'Information',
}
