import { groupDigits } from '../lib/text.ts'
import {
  GENERATION_NAMES,
  SEVERITIES,
  SEVERITY_MEANINGS,
  type ServedBreakdown,
  type Severity,
  servedCounts,
  servedRows,
  verdictOf,
} from './check-report-labels.ts'
import type { CheckReport, Example, RuleFindings } from './contract/feed-checks.ts'
import { escapeText, formatHtmlPage, formatHtmlTable, withCodeTags } from './html-page.ts'

/** Formats a report as a self-contained HTML page without scripts or external resources; all feed content is escaped. */
export function formatHtmlReport(report: CheckReport): string {
  const { feed, generation, evidence, checkedAtMs, durationMs } = report
  const name = generation === undefined ? 'could not be detected' : GENERATION_NAMES[generation]
  const when = `${new Date(checkedAtMs).toISOString().slice(0, 19)}Z`
  const body = `<h1>Feed check</h1>
<p class="feed">${escapeText(feed)}</p>
<p class="verdict">${escapeText(verdictOf(report))}</p>
<dl>
<dt>Generation</dt><dd>${escapeText(name)}${evidence.length > 0 ? `<br><small>${escapeText(evidence.join('; '))}</small>` : ''}</dd>
<dt>Checked</dt><dd>${when}, in ${(durationMs / 1000).toFixed(1)} s, ${report.strict ? 'strict' : 'lenient'}</dd>
</dl>
${SEVERITIES.map((severity) => formatSeverity(severity, report)).join('')}
<h2>Served data</h2>
${formatHtmlTable(['measure', 'value'], servedRows(report))}
${servedCounts(report).map(formatCounts).join('\n')}
${report.samples.length > 0 ? `<h3>The first slots as served</h3>\n<pre>${escapeText(report.samples.map((slot) => JSON.stringify(slot, undefined, 2)).join('\n'))}</pre>` : ''}
<h2>Files</h2>
${formatHtmlTable(['file', 'types', 'lines', 'bytes'], fileRows(report))}`
  return formatHtmlPage(`Feed check: ${feed}`, body)
}

function formatSeverity(severity: Severity, { findings, counts }: CheckReport): string {
  const matching = findings.filter((one) => one.severity === severity)
  if (matching.length === 0) return ''
  const heading = `${severity[0].toUpperCase()}${severity.slice(1)}s: ${groupDigits(counts[severity])}`
  return `<h2 class="${severity}">${heading}</h2>
<p>Findings that are ${SEVERITY_MEANINGS[severity]}.</p>
${matching.map(formatRule).join('\n')}
`
}

function formatRule({ rule, severity, count, right, source, examples }: RuleFindings): string {
  const more = count > examples.length ? `<p>and ${groupDigits(count - examples.length)} more</p>` : ''
  return `<details class="${severity}"${severity === 'error' ? ' open' : ''}>
<summary><b>${escapeText(rule)}</b> <span class="count">${groupDigits(count)}</span></summary>
<p>Expected: ${withCodeTags(right)}.<br><small>Source: ${escapeText(source)}</small></p>
<ul>${examples.map(formatExample).join('')}</ul>
${more}</details>`
}

/** A finding with its place. */
export function formatExample({ file, line, found, excerpt }: Example): string {
  const place = `${escapeText(file)}${line === undefined ? '' : `:${line}`}`
  const code = excerpt === undefined || excerpt === '' ? '' : `<pre>${escapeText(excerpt)}</pre>`
  return `<li><span class="place">${place}</span><br>${escapeText(found)}${code}</li>`
}

function formatCounts({ title, counts }: ServedBreakdown): string {
  const max = Math.max(...counts.map(([, slots]) => slots))
  const rows = counts.map(([name, slots]) => {
    const bar = `<td class="bar"><i style="width:${((100 * slots) / max).toFixed(1)}%"></i></td>`
    return `<tr><th scope="row">${escapeText(name)}</th><td class="number">${groupDigits(slots)}</td>${bar}</tr>`
  })
  return `<h3>${escapeText(title)}</h3>\n<table class="counts"><tbody>${rows.join('\n')}</tbody></table>`
}

function fileRows({ files, fileCount }: CheckReport): (readonly string[])[] {
  const rows = files.map(({ name, types, lines, bytes }) => [
    name,
    types.length > 2 ? 'any' : types.join(', '),
    groupDigits(lines),
    groupDigits(bytes),
  ])
  return fileCount > files.length ? [...rows, [`and ${fileCount - files.length} more`, '', '', '']] : rows
}
