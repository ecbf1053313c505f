import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { escapeHtml } from '../../src/lib/text.ts'

/** A piece of code, and the language that its block names. */
export interface Snippet {
  readonly language: string
  readonly code: string
}

/** The languages that stand side by side as tabs, and what their tabs say. */
export const TAB_LABELS: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
}

const LANGUAGES = { sh: bash, http, json, ts: typescript, python }
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/** One block with its button to copy; the button does nothing without a script, and is not shown then. */
export function codeBlock({ language, code }: Snippet): string {
  return `<div class="code">${copyButton()}<pre tabindex="0"><code>${highlight(language, code)}</code></pre></div>\n`
}

/** The same call in several languages: one below the other as they stand here, and tabs once a script has come. */
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

/** Highlighted HTML; what no language is named for is left as it is, less what is HTML in it. */
export function highlight(language: string, code: string): string {
  const known = language in LANGUAGES ? language : guess(code)
  return known === undefined ? escapeHtml(code) : highlighter.highlight(code, { language: known }).value
}

/** Indented blocks name no language; in our documents they are commands or requests. */
function guess(code: string): string | undefined {
  if (/^(npm|curl|sqlite3|export|bash) /.test(code)) return 'sh'
  if (/^(GET|Authorization:|x-api-key:|WWW-)/i.test(code)) return 'http'
  return undefined
}

function copyButton(): string {
  return '<button type="button" class="copy" data-copy><span data-copy-label>Copy</span></button>'
}
