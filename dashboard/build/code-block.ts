import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { escapeHtml } from '../../src/lib/text.ts'

/** Code with its language. */
export interface Snippet {
  readonly language: string
  readonly code: string
}

/** Languages shown as tabs, with their labels. */
export const TAB_LABELS: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
}

const LANGUAGES = { sh: bash, http, json, ts: typescript, python }
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/** A code block with a copy button, which is hidden without JavaScript. */
export function codeBlock({ language, code }: Snippet): string {
  return `<div class="code">${copyButton()}<pre tabindex="0"><code>${highlight(language, code)}</code></pre></div>\n`
}

/** The same request in several languages: stacked without JavaScript, else as tabs. */
export function codeTabs(snippets: readonly Snippet[]): string {
  const tabs = snippets.map(({ language }, at) => {
    const selected = at === 0 ? 'true' : 'false'
    return `<button type="button" role="tab" data-language="${language}" aria-selected="${selected}">${TAB_LABELS[language]}</button>`
  })
  const panels = snippets.map((snippet, at) => {
    const label = `<p class="code-label">${TAB_LABELS[snippet.language]}</p>`
    const shown = at === 0 ? ' data-shown' : ''
    return `<div class="code-panel" data-language="${snippet.language}"${shown}>${label}${codeBlock(snippet)}</div>`
  })
  return `<div class="code-tabs"><div class="code-tab-list" role="tablist" aria-label="Language">${tabs.join('')}</div>${panels.join('')}</div>\n`
}

/** Highlighted HTML; escaped text for unknown languages. */
export function highlight(language: string, code: string): string {
  const known = language in LANGUAGES ? language : guess(code)
  return known === undefined ? escapeHtml(code) : highlighter.highlight(code, { language: known }).value
}

/** Indented blocks have no language; in these documents they are commands or requests. */
function guess(code: string): string | undefined {
  if (/^(npm|curl|sqlite3|export|bash) /.test(code)) return 'sh'
  if (/^(GET|Authorization:|x-api-key:|WWW-)/i.test(code)) return 'http'
  return undefined
}

function copyButton(): string {
  return '<button type="button" class="copy" data-copy><span data-copy-label>Copy</span></button>'
}
