import { escapeHtml } from '../lib/text.ts'

/** Formats a self-contained page without scripts or external resources. `title` is escaped, `body` is markup. */
export function formatHtmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

/** Formats rows of texts. */
export function formatHtmlTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th scope="col">${escapeText(heading)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeText(cell)}</td>`).join('')}</tr>`)
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeText(headings.join(', '))}"><table>
<thead><tr>${head}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table></div>`
}

/** Escapes a text of this project and marks up code between backticks. */
export function withCodeTags(text: string): string {
  return escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Escapes a text and replaces control characters. */
export function escapeText(text: string): string {
  return escapeHtml(text).replace(/\p{Cc}+/gu, (control) => (control === '\n' ? control : ' '))
}

const STYLE = `
:root { --page: #fff; --text: #1a1b1e; --dim: #5c5f66; --line: #dee2e6; --code: #f1f3f5; --error: #c92a2a; --warning: #a85100; --hint: #1864ab; --met: #216e39 }
@media (prefers-color-scheme: dark) { :root { --page: #1a1b1e; --text: #e9ecef; --dim: #a6a7ab; --line: #373a40; --code: #25262b; --error: #ff8787; --warning: #ffc078; --hint: #74c0fc; --met: #8ce99a } }
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
.counts { width: auto; min-width: min(100%, 28rem) } .counts th { min-width: 8rem } .counts td.number { text-align: right; font-variant-numeric: tabular-nums }
.counts td.bar { width: 60% } .counts i { display: block; height: .6em; margin-top: .45em; min-width: 2px; background: var(--hint) }
h3 .level { font-weight: 400; color: var(--dim) }
article { border: 1px solid var(--line); border-left: 4px solid var(--hint); border-radius: 4px; padding: .5rem .75rem; margin: .5rem 0; break-inside: avoid }
article h3 { display: flex; flex-wrap: wrap; gap: .25rem .75rem; margin: 0 } article p, article ul { margin: .25rem 0 }
article .result { margin-left: auto } article.met { border-left-color: var(--met) } article.not-met { border-left-color: var(--error) }
.met .result { color: var(--met) } .not-met .result { color: var(--error) } .unchecked .result { color: var(--hint) }
@media print { :root { --page: #fff; --text: #000; --dim: #444; --line: #bbb; --code: #f5f5f5; --error: #a51111; --warning: #804000; --hint: #0b4a85; --met: #1b6e2b }
main { max-width: none; padding: 0 } h2, h3 { break-after: avoid } .wide { overflow: visible } }
`
