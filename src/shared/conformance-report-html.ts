import { groupDigits } from '../lib/text.ts'
import { formatExample } from './check-report-html.ts'
import { GENERATION_NAMES } from './check-report-labels.ts'
import {
  CONFORMANCE_RESULTS,
  conformanceVerdict,
  PROFILE_NAMES,
  RESULT_NAMES,
  SOURCE_NAMES,
  STATEMENT_SOURCES,
  type StatementSource,
} from './conformance-labels.ts'
import type { CheckReport, Conformance, StatementResult } from './contract/feed-checks.ts'
import { escapeText, formatHtmlPage, formatHtmlTable, withCodeTags } from './html-page.ts'

/** Formats the statements of a profile as a page to hand in: everything is visible, also on paper. */
export function formatConformanceHtml(report: CheckReport, conformance: Conformance): string {
  const { feed, generation, checkedAtMs, counts, lines, fileCount } = report
  const { profile, statements } = conformance
  const facts = [
    ['Profile', PROFILE_NAMES[profile]],
    ['Checked', `${new Date(checkedAtMs).toISOString().slice(0, 19)}Z`],
    ['Rules', generation === undefined ? 'of every generation' : GENERATION_NAMES[generation]],
    ['Files', `${groupDigits(fileCount)}, with lines: ${groupDigits(lines.slots + lines.directory)}`],
    [
      'Findings',
      `errors: ${groupDigits(counts.error)}, warnings: ${groupDigits(counts.warning)}, hints: ${groupDigits(counts.hint)}`,
    ],
  ]
  const body = `<h1>Conformance report</h1>
<p class="feed">${escapeText(feed)}</p>
<p class="verdict">${escapeText(conformanceVerdict(conformance))}</p>
<dl>
${facts.map(([name = '', value = '']) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`).join('\n')}
</dl>
<h2>Summary</h2>
${formatHtmlTable(['Statements', ...CONFORMANCE_RESULTS.map((result) => RESULT_NAMES[result])], summaryRows(conformance))}
${STATEMENT_SOURCES.map((source) => formatSource(source, statements)).join('\n')}`
  return formatHtmlPage(`Conformance report: ${feed}`, body)
}

function summaryRows({ statements }: Conformance): string[][] {
  return STATEMENT_SOURCES.map((source) => {
    const own = statements.filter((one) => one.source === source)
    return [
      SOURCE_NAMES[source],
      ...CONFORMANCE_RESULTS.map((result) => groupDigits(own.filter((one) => one.result === result).length)),
    ]
  })
}

function formatSource(source: StatementSource, statements: readonly StatementResult[]): string {
  const own = statements.filter((one) => one.source === source)
  return `<h2>${escapeText(SOURCE_NAMES[source])}</h2>
${own.map(formatStatement).join('\n')}`
}

function formatStatement(statement: StatementResult): string {
  const { id, level, clause, text, result, reason, rules, evidence } = statement
  const more = statement.count - evidence.length
  const rest = more > 0 ? `<p>and ${groupDigits(more)} more</p>` : ''
  const list = evidence.length > 0 ? `<ul>${evidence.map(formatExample).join('')}</ul>${rest}` : ''
  const tested = rules.length > 0 ? `; tested by ${rules.join(', ')}` : ''
  return `<article class="${result}">
<h3><span>${escapeText(id)}</span> <span class="level">${level}</span> <span class="result">${RESULT_NAMES[result]}</span></h3>
<p>${withCodeTags(text)}<br><small>Clause: ${escapeText(`${clause}${tested}`)}</small></p>
${reason === undefined ? '' : `<p>Why: ${escapeText(reason)}.</p>`}${list}
</article>`
}
