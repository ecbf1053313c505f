import type { ShjGrammar, ShjToken } from '@speed-highlight/core'
import bash from '@speed-highlight/core/languages/bash.js'
import http from '@speed-highlight/core/languages/http.js'
import js from '@speed-highlight/core/languages/js.js'
import json from '@speed-highlight/core/languages/json.js'
import python from '@speed-highlight/core/languages/py.js'
import typescript from '@speed-highlight/core/languages/ts.js'
import { tokenizeWith } from '@speed-highlight/core/tokenize'
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

// A cast, because the library is not typed for exact optional properties.
const LANGUAGES = { sh: bash, http, js, json, ts: typescript, python } as Readonly<Record<string, ShjGrammar>>

/** The classes of code.css. Other tokens have the color of the text. */
const TOKEN_CLASSES: Readonly<Partial<Record<ShjToken, string>>> = {
  cmnt: 'comment',
  kwd: 'keyword',
  bool: 'keyword',
  str: 'string',
  num: 'number',
  var: 'name',
  func: 'name',
  class: 'name',
  type: 'name',
  section: 'name',
}

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
  const grammar = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : guess(code)
  if (grammar === undefined) return escapeHtml(code)
  let html = ''
  const append = (text: string, token?: ShjToken) => {
    const name = token && TOKEN_CLASSES[token]
    html += name === undefined ? escapeHtml(text) : `<span class="code-${name}">${escapeHtml(text)}</span>`
  }
  tokenizeWith(code, grammar, append, { languages: LANGUAGES })
  return html
}

/** Indented blocks have no language; in these documents they are commands or requests. */
function guess(code: string): ShjGrammar | undefined {
  if (/^(npm|curl|sqlite3|export|bash) /.test(code)) return LANGUAGES.sh
  if (/^(GET|Authorization:|x-api-key:|WWW-)/i.test(code)) return LANGUAGES.http
  return undefined
}

function copyButton(): string {
  return '<button type="button" class="copy" data-copy><span data-copy-label>Copy</span></button>'
}
