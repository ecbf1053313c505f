import { escapeHtml } from '../lib/text.ts'
import {
  GENERATION_NAMES,
  SEVERITIES,
  SEVERITY_MEANINGS,
  type Severity,
  servedRows,
  verdictOf,
} from './check-report-labels.ts'
import type { CheckReport, Example, RuleFindings } from './contract/feed-checks.ts'

/** Formats a report as a self-contained HTML page without scripts or external resources; all feed content is escaped. */
export function formatHtmlReport(report: CheckReport): string {
  const { feed, generation, evidence, checkedAtMs, durationMs } = report
  const name = generation === undefined ? 'could not be detected' : GENERATION_NAMES[generation]
  const when = `${new Date(checkedAtMs).toISOString().slice(0, 19)}Z`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Feed check: ${escaped(feed)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Feed check</h1>
<p class="feed">${escaped(feed)}</p>
<p class="verdict">${escaped(verdictOf(report))}</p>
<dl>
<dt>Generation</dt><dd>${escaped(name)}${evidence.length > 0 ? `<br><small>${escaped(evidence.join('; '))}</small>` : ''}</dd>
<dt>Checked</dt><dd>${when}, in ${(durationMs / 1000).toFixed(1)} s, ${report.strict ? 'strict' : 'lenient'}</dd>
</dl>
${SEVERITIES.map((severity) => formatSeverity(severity, report)).join('')}
<h2>Served data</h2>
${table(['measure', 'value'], servedRows(report))}
${report.samples.length > 0 ? `<h3>The first slots as served</h3>\n<pre>${escaped(report.samples.map((slot) => JSON.stringify(slot, undefined, 2)).join('\n'))}</pre>` : ''}
<h2>Files</h2>
${table(['file', 'types', 'lines', 'bytes'], fileRows(report))}
</main>
</body>
</html>
`
}

function formatSeverity(severity: Severity, { findings, counts }: CheckReport): string {
  const matching = findings.filter((one) => one.severity === severity)
  if (matching.length === 0) return ''
  const heading = `${severity[0].toUpperCase()}${severity.slice(1)}s: ${counts[severity].toLocaleString('en-US')}`
  return `<h2 class="${severity}">${heading}</h2>
<p>Findings that are ${SEVERITY_MEANINGS[severity]}.</p>
${matching.map(formatRule).join('\n')}
`
}

function formatRule({ rule, severity, count, right, source, examples }: RuleFindings): string {
  const more = count > examples.length ? `<p>and ${(count - examples.length).toLocaleString('en-US')} more</p>` : ''
  return `<details class="${severity}"${severity === 'error' ? ' open' : ''}>
<summary><b>${escaped(rule)}</b> <span class="count">${count.toLocaleString('en-US')}</span></summary>
<p>Expected: ${withCode(right)}.<br><small>Source: ${escaped(source)}</small></p>
<ul>${examples.map(formatExample).join('')}</ul>
${more}</details>`
}

function formatExample({ file, line, found, excerpt }: Example): string {
  const place = `${escaped(file)}${line === undefined ? '' : `:${line}`}`
  const code = excerpt === undefined || excerpt === '' ? '' : `<pre>${escaped(excerpt)}</pre>`
  return `<li><span class="place">${place}</span><br>${escaped(found)}${code}</li>`
}

function fileRows({ files, fileCount }: CheckReport): (readonly string[])[] {
  const rows = files.map(({ name, types, lines, bytes }) => [
    name,
    types.length > 2 ? 'any' : types.join(', '),
    lines.toLocaleString('en-US'),
    bytes.toLocaleString('en-US'),
  ])
  return fileCount > files.length ? [...rows, [`and ${fileCount - files.length} more`, '', '', '']] : rows
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th scope="col">${escaped(heading)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
  return `<div class="wide" tabindex="0" role="region" aria-label="${escaped(headings.join(', '))}"><table>
<thead><tr>${head}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table></div>`
}

/** Escapes a text of this project and marks up code between backticks. */
function withCode(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return escapeHtml(text).replace(/\p{Cc}+/gu, (control) => (control === '\n' ? control : ' '))
}

const STYLE = `
:root { --page: #fff; --text: #1a1b1e; --dim: #5c5f66; --line: #dee2e6; --code: #f1f3f5; --error: #c92a2a; --warning: #a85100; --hint: #1864ab }
@media (prefers-color-scheme: dark) { :root { --page: #1a1b1e; --text: #e9ecef; --dim: #a6a7ab; --line: #373a40; --code: #25262b; --error: #ff8787; --warning: #ffc078; --hint: #74c0fc } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.25rem; margin: 2rem 0 .25rem } h3 { font-size: 1rem }
.feed, .place, td:first-child { overflow-wrap: anywhere }
.feed, small, .place { color: var(--dim) }
.verdict { font-size: 1.1rem; font-weight: 600 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem } dt { color: var(--dim) } dd { margin: 0 }
details { border: 1px solid var(--line); border-left: 4px solid; border-radius: 4px; padding: .5rem .75rem; margin: .5rem 0 }
details.error, h2.error { border-left-color: var(--error); color: var(--error) }
details.warning, h2.warning { border-left-color: var(--warning); color: var(--warning) }
details.hint, h2.hint { border-left-color: var(--hint); color: var(--hint) }
details > * { color: var(--text) } summary { cursor: pointer }
.count { float: right; font-variant-numeric: tabular-nums }
ul { padding-left: 1.25rem } li { margin: .5rem 0; overflow-wrap: anywhere }
code, pre { font-family: ui-monospace, monospace; font-size: .85em; background: var(--code); border-radius: 3px; padding: .1em .3em }
pre { padding: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { color: var(--dim); font-weight: 500 }
`
