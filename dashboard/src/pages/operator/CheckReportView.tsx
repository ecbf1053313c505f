import { Alert, Badge, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react'
import type { CheckReport } from '../../../../src/validator/report.ts'
import {
  GENERATION_NAMES,
  SEVERITY_MEANINGS,
  servedRows,
  verdictOf,
} from '../../../../src/validator/report-labels.ts'
import type { Severity } from '../../../../src/validator/rule.ts'
import { ButtonLink } from '../../parts/links.tsx'
import { formatCount } from '../usage/figures.ts'
import { CheckFindings } from './CheckFindings.tsx'
import { downloadReport } from './download-report.ts'
import { Figures } from './Figures.tsx'
import classes from './operator.module.css'

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'hint']

const TITLES: Readonly<Record<Severity, string>> = { error: 'Errors', warning: 'Warnings', hint: 'Hints' }

/** All that a check found: the verdict, the findings by severity, and what callers would see. */
export function CheckReportView({ report }: { report: CheckReport }) {
  const { unreadable, stopped, counts } = report
  const isFine = unreadable === undefined && stopped === undefined && counts.error === 0
  const isOpen = stopped !== undefined && unreadable === undefined && counts.error === 0
  return (
    <Stack gap="lg">
      <Alert
        color={isFine ? 'teal' : isOpen ? 'orange' : 'red'}
        icon={isFine ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={isFine ? 'The feed can be read' : isOpen ? 'The check ended early' : 'The feed needs a look'}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {verdictOf(report)}
        </Text>
      </Alert>
      <Figures figures={figuresOf(report)} />
      {SEVERITIES.map((severity) => (
        <Findings key={severity} severity={severity} report={report} />
      ))}
      <Card component="section" aria-labelledby="what-callers-see">
        <Title order={2} id="what-callers-see" mb="md">
          What callers would see
        </Title>
        <Served report={report} />
      </Card>
      <Actions report={report} />
    </Stack>
  )
}

function Findings({ severity, report }: { severity: Severity; report: CheckReport }) {
  const findings = report.findings.filter((one) => one.severity === severity)
  if (findings.length === 0) return null
  return (
    <Card component="section" aria-labelledby={`findings-${severity}`}>
      <Group gap="xs" mb={4}>
        <Title order={2} id={`findings-${severity}`}>
          {TITLES[severity]}
        </Title>
        <Badge
          variant="light"
          color={severity === 'error' ? 'red' : severity === 'warning' ? 'orange' : 'blue'}
        >
          {formatCount(report.counts[severity])}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {`What is ${SEVERITY_MEANINGS[severity]}.`}
      </Text>
      <CheckFindings findings={findings} isOpen={severity === 'error'} />
    </Card>
  )
}

function figuresOf({ lines, counts, generation, fileCount, durationMs }: CheckReport) {
  const seconds = (durationMs / 1000).toFixed(1)
  return [
    { name: 'Slots', value: formatCount(lines.served), note: `of ${formatCount(lines.slots)} lines` },
    { name: 'Rejected', value: formatCount(lines.rejected + lines.directoryRejected), note: 'lines' },
    { name: 'Errors', value: formatCount(counts.error), note: `${formatCount(counts.warning)} warnings` },
    { name: 'Files', value: formatCount(fileCount), note: `in ${seconds} s` },
    {
      name: 'Generation',
      value: generation === undefined ? 'Unknown' : SHORT_NAMES[generation],
      note: generation === undefined ? 'nothing tells' : GENERATION_NAMES[generation],
    },
  ]
}

const SHORT_NAMES = { 'vaccine-2021': '2021', 'draft-2025': '2025', stu1: 'STU 1' } as const

function Served({ report }: { report: CheckReport }) {
  return (
    <Stack gap="md">
      <dl className={classes.facts}>
        {servedRows(report).map(([what, value]) => (
          <div key={what} style={{ display: 'contents' }}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {report.samples.length > 0 && (
        <Code block tabIndex={0} role="region" aria-label="The first slot, as it would be served">
          {JSON.stringify(report.samples[0], undefined, 2)}
        </Code>
      )}
    </Stack>
  )
}

function Actions({ report }: { report: CheckReport }) {
  const download = (kind: 'html' | 'json') => (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => downloadReport(report, kind)}
    >
      {kind === 'html' ? 'Report as a page' : 'Report as JSON'}
    </Button>
  )
  return (
    <Group gap="xs" justify="flex-end">
      {download('html')}
      {download('json')}
      <ButtonLink to="/app/operator/sources" variant="default">
        All sources
      </ButtonLink>
    </Group>
  )
}
