import MarkdownIt, { type Token } from 'markdown-it'
import { escapeHtml } from '../../src/lib/text.ts'
import { codeBlock, codeTabs, type Snippet, TAB_LABELS } from './code-block.ts'
import { type Picture, pictureHtml } from './pictures.ts'

/** A rendered Markdown file. */
export interface Rendered {
  readonly html: string
  /** Text of the first heading. */
  readonly title: string
  /** Text of the first paragraph, ending with a period. */
  readonly description: string
  /** Levels 2 and 3. */
  readonly headings: readonly Heading[]
  /** The text below each heading, for the search index. */
  readonly sections: readonly Section[]
  /** All valid fragments. */
  readonly anchors: ReadonlySet<string>
}

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

export interface Section {
  readonly id: string
  readonly heading: string
  /** The full text, including code and tables. */
  readonly text: string
  /** The first paragraph, or empty. */
  readonly excerpt: string
}

/** Where the links and pictures of a page lead. */
export interface References {
  /** A path of the site; undefined for a file that is not part of it: only the link's text remains. */
  readonly link: (href: string) => string | undefined
  readonly picture: (href: string) => Picture
}

/**
 * Renders Markdown. Headings get the same ids as on GitHub, so that links work in both places; a paragraph that starts with
 * `` Kind `x`. `` gets the id `x`. Adjacent fenced blocks of curl, TypeScript and Python become tabs.
 */
export function renderMarkdown(text: string, references: References): Rendered {
  const tokens = markdown.parse(text, {})
  const headings = nameHeadings(tokens)
  const anchors = new Set([...headings.map(({ id }) => id), ...nameKinds(tokens)])
  const sections = sectionsOf(tokens, headings)
  for (const { children } of tokens) if (children !== null) rewriteReferences(children, references)
  return {
    html: htmlOf(tokens),
    title: headings[0].text,
    description: firstParagraph(tokens),
    headings: headings.filter(({ level }) => level === 2 || level === 3),
    sections,
    anchors,
  }
}

/** Renders a Markdown fragment without title and without links to resolve. */
export function renderFragment(text: string): string {
  return htmlOf(markdown.parse(text, {})).trimEnd()
}

const markdown = new MarkdownIt({ html: false, linkify: false })
markdown.renderer.rules.fence = (tokens, at) => codeBlock(snippetOf(tokens[at]))
markdown.renderer.rules.code_block = (tokens, at) => codeBlock({ language: '', code: tokens[at].content })
markdown.renderer.rules.code_tabs = (tokens, at) => codeTabs(tokens[at].meta?.snippets as Snippet[])
markdown.renderer.rules.image = (tokens, at) => pictureHtml(tokens[at].meta?.picture as Picture, tokens[at].content)
markdown.renderer.rules.table_open = () => '<table role="table">\n'
markdown.renderer.rules.thead_open = () => '<thead role="rowgroup">\n'
markdown.renderer.rules.tbody_open = () => '<tbody role="rowgroup">\n'
markdown.renderer.rules.tr_open = () => '<tr role="row">\n'
markdown.renderer.rules.th_open = () => '<th role="columnheader" scope="col">'

function htmlOf(tokens: readonly Token[]): string {
  labelCells(tokens)
  return markdown.renderer.render(gatherTabs(tokens), markdown.options, {})
}

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const uses = new Map<string, number>()
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const inline = tokens[at + 1]
    const text = textOf(inline)
    const name = headingName(text)
    const used = uses.get(name) ?? 0
    uses.set(name, used + 1)
    const id = used === 0 ? name : `${name}-${used}`
    token.attrSet('id', id)
    const level = Number(token.tag.slice(1))
    if (level > 1) inline.children?.push(anchorTo(id, text))
    return [{ level, id, text }]
  })
}

/** Like GitHub: lowercase, hyphens for spaces, no punctuation. */
function headingName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function anchorTo(id: string, text: string): Token {
  const link = new TokenClass('html_inline', '', 0)
  link.content = ` <a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(text)}”">#</a>`
  return link
}

/** The error catalog names each kind below its heading. */
function nameKinds(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    const kind = /^Kind `([\w-]+)`\./.exec(token.type === 'paragraph_open' ? tokens[at + 1].content : '')?.[1]
    if (kind === undefined) return []
    token.attrSet('id', kind)
    return [kind]
  })
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const starts = tokens.flatMap(({ type }, at) => (type === 'heading_open' ? [at] : []))
  return headings.map(({ id, text, level }, number) => {
    const within = tokens.slice(starts[number] + AFTER_HEADING, starts[number + 1])
    const texts = within.filter(({ type }) => type === 'inline' || type === 'fence' || type === 'code_block')
    return {
      id: level === 1 ? '' : id,
      heading: text,
      text: texts.map(textOf).join(' ').replace(/\s+/g, ' '),
      excerpt: firstParagraph(within),
    }
  })
}

/** Opening, inline and closing token. */
const AFTER_HEADING = 3

function rewriteReferences(children: Token[], { link, picture }: References): void {
  let isDropped = false
  for (const token of children) {
    if (token.type === 'image') token.meta = { picture: picture(String(token.attrGet('src'))) }
    if (token.type === 'link_open') {
      const href = link(String(token.attrGet('href')))
      isDropped = href === undefined
      if (href !== undefined) token.attrSet('href', href)
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) token.hidden = true
    if (token.type === 'link_close') isDropped = false
  }
  children.splice(0, children.length, ...children.filter(({ hidden }) => !hidden))
}

/** On phones, rows become cards whose cells show these labels. */
function labelCells(tokens: readonly Token[]): void {
  let labels: string[] = []
  let column = 0
  tokens.forEach((token, at) => {
    if (token.type === 'table_open') labels = []
    if (token.type === 'th_open') labels.push(textOf(tokens[at + 1]))
    if (token.type === 'tr_open') column = 0
    if (token.type === 'td_open') {
      token.attrSet('role', 'cell')
      token.attrSet('data-label', labels[column++] ?? '')
    }
  })
}

/** Merges adjacent blocks in different languages into tabs. */
function gatherTabs(tokens: readonly Token[]): Token[] {
  const gathered: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const run: Snippet[] = []
    while (at + run.length < tokens.length && isNextTab(tokens[at + run.length], run))
      run.push(snippetOf(tokens[at + run.length]))
    if (run.length < 2) {
      gathered.push(tokens[at])
      continue
    }
    const tabs = new TokenClass('code_tabs', '', 0)
    tabs.meta = { snippets: run }
    gathered.push(tabs)
    at += run.length - 1
  }
  return gathered
}

function isNextTab(token: Token, run: readonly Snippet[]): boolean {
  const language = token.info.trim()
  return token.type === 'fence' && language in TAB_LABELS && !run.some((snippet) => snippet.language === language)
}

function snippetOf(token: Token): Snippet {
  return { language: token.info.trim(), code: token.content }
}

function firstParagraph(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0)
  return at === -1 ? '' : textOf(tokens[at + 1]).replace(/:$/, '.')
}

function textOf(token: Token): string {
  if (token.children === null) return token.content
  return token.children
    .filter(({ type }) => type !== 'html_inline')
    .map((child) => (child.type === 'softbreak' ? ' ' : textOf(child)))
    .join('')
}

/** markdown-it exports only the type of a token, so take the class from an instance. */
const TokenClass = Object.getPrototypeOf(markdown.parse('x', {})[0]).constructor as new (
  type: string,
  tag: string,
  nesting: -1 | 0 | 1,
) => Token
