import { singleLine } from '../lib/text.ts'
import {
  GENERATION_NAMES,
  SEVERITIES,
  SEVERITY_MEANINGS,
  type Severity,
  servedRows,
  verdictOf,
} from '../shared/check-report-labels.ts'
import type { CheckReport, RuleFindings } from '../shared/contract/feed-checks.ts'

/** Formats a report for a terminal, without control characters. */
export function formatTextReport(report: CheckReport): string {
  const { feed, generation, evidence } = report
  const name = generation === undefined ? 'could not be detected' : GENERATION_NAMES[generation]
  return [
    singleLine(feed),
    `generation: ${name}${evidence.length > 0 ? ` (${singleLine(evidence.join('; '))})` : ''}`,
    ...SEVERITIES.flatMap((severity) => formatSeverity(severity, report)),
    '',
    'SERVED DATA',
    ...aligned(servedRows(report)),
    '',
    singleLine(verdictOf(report)),
  ].join('\n')
}

function formatSeverity(severity: Severity, { findings, counts }: CheckReport): string[] {
  const matching = findings.filter((one) => one.severity === severity)
  if (matching.length === 0) return []
  const heading = `${severity.toUpperCase()}S: ${counts[severity]} (${SEVERITY_MEANINGS[severity]})`
  return ['', heading, ...matching.flatMap(formatRule)]
}

function formatRule({ rule, count, right, source, docs, examples }: RuleFindings): string[] {
  const shown = examples.flatMap(({ file, line, found, excerpt }) => [
    `    ${singleLine(file)}${line === undefined ? '' : `:${line}`}`,
    `      ${singleLine(found)}`,
    ...(excerpt === undefined || excerpt === '' ? [] : [`      ${singleLine(excerpt)}`]),
  ])
  const more = count > examples.length ? [`    and ${count - examples.length} more`] : []
  return [
    '',
    `  ${rule} (${count})`,
    `    expected: ${right}`,
    `    source: ${source}; docs/${docs}`,
    ...shown,
    ...more,
  ]
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${singleLine(value)}`)
}
