import { Alert, Anchor, Badge, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import {
  GENERATION_NAMES,
  SEVERITY_MEANINGS,
  type Severity,
  servedCounts,
  servedRows,
  verdictOf,
} from '../../../../src/shared/check-report-labels.ts'
import type { CheckReport, RuleFindings } from '../../../../src/shared/contract/feed-checks.ts'
import { useDocsUrl } from '../../api/session.ts'
import { downloadText } from '../../components/download-text.ts'
import { Facts } from '../../components/Facts.tsx'
import { formatCount, formatNumberOf } from '../../components/format.ts'
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '../../components/icons.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { Statistics } from '../../components/Statistics.tsx'
import { ConformanceCard } from './ConformanceCard.tsx'
import { CountBars } from './CountBars.tsx'
import { FindingPlace, withCode } from './FindingPlace.tsx'
import classes from './operator.module.css'

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'hint']

const TITLES: Readonly<Record<Severity, string>> = { error: 'Errors', warning: 'Warnings', hint: 'Hints' }

/** The report of a check: verdict, findings by severity, and a preview of the served data. */
export function CheckReportView({ report }: { report: CheckReport }) {
  const { unreadable, stopped, counts } = report
  const isFine = unreadable === undefined && stopped === undefined && counts.error === 0
  const isIncomplete = stopped !== undefined && unreadable === undefined && counts.error === 0
  return (
    <Stack gap="lg">
      <Alert
        color={isFine ? 'teal' : isIncomplete ? 'orange' : 'red'}
        icon={isFine ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={isFine ? 'This feed is readable' : isIncomplete ? 'The check ended early' : 'This feed needs attention'}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {verdictOf(report)}
        </Text>
      </Alert>
      <Statistics items={statisticsOf(report)} />
      {report.conformance && <ConformanceCard conformance={report.conformance} />}
      {SEVERITIES.map((severity) => (
        <Findings key={severity} severity={severity} report={report} />
      ))}
      <Card component="section" aria-labelledby="what-callers-see">
        <Title order={2} id="what-callers-see" mb="md">
          Preview
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
        <Badge variant="light" color={severity === 'error' ? 'red' : severity === 'warning' ? 'orange' : 'blue'}>
          {formatCount(report.counts[severity])}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {`Findings that are ${SEVERITY_MEANINGS[severity]}.`}
      </Text>
      <CheckFindings findings={findings} isIncomplete={severity === 'error'} />
    </Card>
  )
}

function statisticsOf({ lines, counts, generation, fileCount, durationMs }: CheckReport) {
  const seconds = (durationMs / 1000).toFixed(1)
  return [
    { name: 'Slots', value: formatCount(lines.served), note: `of ${formatNumberOf(lines.slots, 'line')}` },
    { name: 'Rejected', value: formatCount(lines.rejected + lines.directoryRejected), note: 'lines' },
    { name: 'Errors', value: formatCount(counts.error), note: formatNumberOf(counts.warning, 'warning') },
    { name: 'Files', value: formatCount(fileCount), note: `in ${seconds} s` },
    {
      name: 'Generation',
      value: generation === undefined ? 'Unknown' : SHORT_NAMES[generation],
      note: generation === undefined ? 'could not be detected' : GENERATION_NAMES[generation],
    },
  ]
}

const SHORT_NAMES = { 'vaccine-2021': '2021', 'draft-2025': '2025', stu1: 'STU 1' } as const

function Served({ report }: { report: CheckReport }) {
  return (
    <Stack gap="md">
      <Facts facts={servedRows(report)} />
      {servedCounts(report).map((one) => (
        <CountBars key={one.title} {...one} />
      ))}
      {report.samples.length > 0 && (
        <Code block tabIndex={0} role="region" aria-label="The first slot as served">
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
      {kind === 'html' ? 'Download HTML' : 'Download JSON'}
    </Button>
  )
  return (
    <Group gap="xs" justify="flex-end">
      {report.conformance && (
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadReport(report, 'conformance')}
        >
          Download conformance report
        </Button>
      )}
      {download('html')}
      {download('json')}
      <ButtonLink to="/app/operator/sources" variant="default">
        All sources
      </ButtonLink>
    </Group>
  )
}

/** The findings by rule: what is expected, and examples with file, line and excerpt. */
function CheckFindings(props: { findings: readonly RuleFindings[]; isIncomplete: boolean }) {
  return (
    <Stack gap="xs">
      {props.findings.map((found) => (
        <details key={found.rule} className={classes.finding} open={props.isIncomplete}>
          <summary>
            <span className={classes.rule}>{found.rule}</span>{' '}
            <Badge variant="default" size="sm">
              {formatCount(found.count)}
            </Badge>
          </summary>
          <Rule found={found} />
        </details>
      ))}
    </Stack>
  )
}

function Rule({ found: { rule, right, source, docs, count, examples } }: { found: RuleFindings }) {
  const address = useDocsUrl(docs.replace('.md', ''))
  return (
    <Stack gap="sm" mt="sm">
      <Text size="sm">Expected: {withCode(right)}.</Text>
      <Text size="xs" c="dimmed">
        {`Source: ${source}. `}
        <Anchor href={address} underline="always" inherit>
          About this rule<span className="sr-only">: {rule}</span>
        </Anchor>
      </Text>
      <ul className={classes.examples}>
        {examples.map((example) => (
          <li key={`${example.file} ${example.line} ${example.found}`}>
            <FindingPlace example={example} />
          </li>
        ))}
      </ul>
      {count > examples.length && (
        <Text size="sm" c="dimmed">
          {`and ${formatCount(count - examples.length)} more`}
        </Text>
      )}
    </Stack>
  )
}

/** Downloads the report as JSON or as an HTML page, of its findings or of its statements. */
async function downloadReport(report: CheckReport, kind: 'html' | 'json' | 'conformance'): Promise<void> {
  const text = kind === 'json' ? JSON.stringify(report, undefined, 2) : await pageOf(report, kind)
  const type = kind === 'json' ? 'application/json' : 'text/html'
  const { hostname } = new URL(report.feed)
  downloadText(kind === 'conformance' ? `conformance-${hostname}.html` : `check-${hostname}.${kind}`, text, type)
}

async function pageOf(report: CheckReport, kind: 'html' | 'conformance'): Promise<string> {
  if (kind === 'conformance' && report.conformance !== undefined) {
    const { formatConformanceHtml } = await import('../../../../src/shared/conformance-report-html.ts')
    return formatConformanceHtml(report, report.conformance)
  }
  const { formatHtmlReport } = await import('../../../../src/shared/check-report-html.ts')
  return formatHtmlReport(report)
}
