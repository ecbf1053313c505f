import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import type { ImportReport } from '../../../../src/shared/contract/imports.ts'
import { CardSection } from '../../components/CardSection.tsx'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { downloadText } from '../../components/download-text.ts'
import { formatCount } from '../../components/format.ts'
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '../../components/icons.tsx'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { Statistics } from '../../components/Statistics.tsx'
import { type ApiSlot, durationLabel, placeLabel, serviceLabel, serviceModeLabel } from '../explore/api-slot.ts'
import { importSentence, importStatistics, importTitle } from './import-labels.ts'
import classes from './operator.module.css'

/** The report of a check or an import: summary, statistics, rejected rows and sample slots. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const isFine = report.outcome === 'ok' || report.outcome === 'partial'
  return (
    <Stack gap="lg">
      <Alert
        color={isFine ? 'teal' : 'red'}
        icon={isFine ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={importTitle(report)}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {importSentence(report)}
        </Text>
        {report.notes.length > 0 && (
          <List size="sm" mt="xs">
            {report.notes.map((note) => (
              <List.Item key={note} style={{ overflowWrap: 'anywhere' }}>
                {note}
              </List.Item>
            ))}
          </List>
        )}
      </Alert>
      {report.format !== undefined && <Statistics items={importStatistics(report)} />}
      {report.rejections.length > 0 && (
        <CardSection title="Rejected rows">
          <Rejected report={report} />
        </CardSection>
      )}
      {report.samples.length > 0 && (
        <CardSection title="Sample slots">
          <Samples slots={report.samples as readonly ApiSlot[]} />
        </CardSection>
      )}
    </Stack>
  )
}

const PAGE = 10

type Rejection = ImportReport['rejections'][number]

function Rejected({ report }: { report: ImportReport }) {
  const { rejections, rejected, rejectedCsv, slug } = report
  const pages = usePagination(rejections, PAGE)
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <Text size="sm" c="dimmed" maw={560}>
          {rejections.length < rejected &&
            `Showing ${formatCount(rejections.length)} of ${formatCount(rejected)}, at most 100 for each reason. `}
          Correct them in the original file: an import replaces all slots.
        </Text>
        {rejectedCsv !== undefined && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => downloadText(`rejected-${slug}.csv`, rejectedCsv, 'text/csv')}
          >
            Download rejected rows
          </Button>
        )}
      </Group>
      <DataTable
        caption="Rejected rows"
        dense
        columns={REJECTION_COLUMNS}
        rows={pages.shown}
        rowKey={({ line, reason }) => `${line} ${reason}`}
      />
      <TablePagination label="Rejected row pages" {...pages} />
    </>
  )
}

const REJECTION_COLUMNS: readonly TableColumn<Rejection>[] = [
  { key: 'line', header: 'Row', align: 'end', width: '90px', render: ({ line }) => formatCount(line) },
  {
    key: 'reason',
    header: 'Reason',
    isRowHeader: true,
    render: ({ reason }) => <div className={classes.reason}>{reason}</div>,
  },
  {
    key: 'sample',
    header: 'Excerpt',
    render: ({ sample }) => (
      <Code className={classes.sample} tabIndex={0}>
        {sample}
      </Code>
    ),
  },
]

function Samples({ slots }: { slots: readonly ApiSlot[] }) {
  return <DataTable caption="Sample slots" dense columns={SAMPLE_COLUMNS} rows={slots} rowKey={({ id }) => id} />
}

const SAMPLE_COLUMNS: readonly TableColumn<ApiSlot>[] = [
  {
    key: 'start',
    header: 'Starts',
    isRowHeader: true,
    render: (slot) => (
      <div className={classes.nowrap}>
        {slot.start}
        <Text size="xs" c="dimmed">
          {durationLabel(slot)}
        </Text>
      </div>
    ),
  },
  { key: 'service', header: 'Service', render: (slot) => serviceLabel(slot) ?? 'Not provided' },
  {
    key: 'where',
    header: 'Where',
    render: (slot) => (
      <div>
        {serviceModeLabel(slot)}
        <Text size="xs" c="dimmed">
          {[slot.location?.name, placeLabel(slot)].filter(Boolean).join(', ')}
        </Text>
      </div>
    ),
  },
  {
    key: 'json',
    header: 'JSON',
    render: (slot) => (
      <Code className={classes.sample} tabIndex={0}>
        {JSON.stringify(slot)}
      </Code>
    ),
  },
]
