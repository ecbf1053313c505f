import { groupDigits, singleLine } from '../lib/text.ts'
import {
  GENERATION_NAMES,
  SEVERITIES,
  SEVERITY_MEANINGS,
  type Severity,
  servedCounts,
  servedRows,
  verdictOf,
} from '../shared/check-report-labels.ts'
import { conformanceVerdict, PROFILE_NAMES, RESULT_NAMES } from '../shared/conformance-labels.ts'
import type { CheckReport, Conformance, Example, RuleFindings } from '../shared/contract/feed-checks.ts'

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
    ...aligned([...servedRows(report), ...countRows(report)]),
    ...(report.conformance === undefined ? [] : formatConformance(report.conformance)),
    '',
    singleLine(verdictOf(report)),
    ...(report.conformance === undefined ? [] : [singleLine(conformanceVerdict(report.conformance))]),
  ].join('\n')
}

function formatSeverity(severity: Severity, { findings, counts }: CheckReport): string[] {
  const matching = findings.filter((one) => one.severity === severity)
  if (matching.length === 0) return []
  const heading = `${severity.toUpperCase()}S: ${counts[severity]} (${SEVERITY_MEANINGS[severity]})`
  return ['', heading, ...matching.flatMap(formatRule)]
}

function formatRule({ rule, count, right, source, docs, examples }: RuleFindings): string[] {
  const shown = examples.flatMap((example) => [
    `    ${placeOf(example)}`,
    `      ${singleLine(example.found)}`,
    ...(example.excerpt === undefined || example.excerpt === '' ? [] : [`      ${singleLine(example.excerpt)}`]),
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

function formatConformance({ profile, statements }: Conformance): string[] {
  const rows = statements.map(({ id, level, result, reason, text, evidence: [first] }) => [
    `  ${id.padEnd(14)}${level.padEnd(12)}${RESULT_NAMES[result].padEnd(24)}${text}`,
    ...(reason === undefined ? [] : [`    why: ${singleLine(reason)}`]),
    ...(result !== 'not-met' || first === undefined ? [] : [`    ${placeOf(first)}: ${singleLine(first.found)}`]),
  ])
  return ['', `STATEMENTS OF THE PROFILE ${PROFILE_NAMES[profile].toUpperCase()}`, ...rows.flat()]
}

function placeOf({ file, line }: Example): string {
  return `${singleLine(file)}${line === undefined ? '' : `:${line}`}`
}

function countRows(report: CheckReport): (readonly [string, string])[] {
  return servedCounts(report).map(({ title, counts }) => [
    title,
    counts.map(([name, slots]) => `${name} ${groupDigits(slots)}`).join(', '),
  ])
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${singleLine(value)}`)
}
