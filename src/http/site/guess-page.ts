import { closestWord } from '../../lib/edit-distance.ts'
import { escapeHtml } from '../../lib/text.ts'
import type { StaticFile } from '../show-file.ts'

/** A page that can be guessed. */
interface NamedPage {
  readonly path: string
  readonly title: string
}

/** Longer paths are not compared: the cost of a guess is bounded. */
const LENGTH_MAX = 60

/** Shorter words are not compared. */
const LETTERS_MIN = 3

/** The pages of the documentation. */
export function namedPages(files: ReadonlyMap<string, StaticFile>): readonly NamedPage[] {
  const pages: NamedPage[] = []
  for (const [path, { headers, contents }] of files) {
    if (!headers['content-type']?.startsWith('text/html') || !/^\/docs\b/.test(path)) continue
    const [, title = path] = /<title>(.*?)(?: · [^·]*)?<\/title>/.exec(contents.identity.body.toString()) ?? []
    pages.push({ path, title: unescapeHtml(title) })
  }
  return pages
}

/** The page whose name or title has the same word, or one that differs by a typo; then the same for the parts of the word, the last first. */
export function guessPage(path: string, pages: readonly NamedPage[]): NamedPage | undefined {
  if (path.length > LENGTH_MAX) return undefined
  const word = wordOf(path)
  const parts = word.split(/\W+/).reverse()
  return [word, ...parts].map((one) => pageNamed(one, pages)).find((page) => page !== undefined)
}

/** Inserts the guess into the page for a 404. */
export function withGuess(page: Buffer<ArrayBuffer>, guess: NamedPage | undefined): Buffer<ArrayBuffer> {
  if (guess === undefined) return page
  const link = `<p>Did you mean <a href="${escapeHtml(guess.path)}">${escapeHtml(guess.title)}</a>?</p>`
  return Buffer.from(page.toString().replace('<!-- guess -->', () => link))
}

/** The last part of a path, in lower case and without an extension. */
function wordOf(path: string): string {
  const part = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  return part.toLowerCase().replace(/\.\w+$/, '')
}

function pageNamed(word: string, pages: readonly NamedPage[]): NamedPage | undefined {
  if (word.length < LETTERS_MIN) return undefined
  const exact = pages.find((page) => wordOf(page.path) === word)
  return exact ?? pages.find(({ title }) => wordsOf(title).includes(word)) ?? closest(word, pages)
}

function wordsOf(title: string): readonly string[] {
  return title.toLowerCase().split(/\W+/)
}

/** By the name, then by a word of the title. */
function closest(word: string, pages: readonly NamedPage[]): NamedPage | undefined {
  const named = [
    ...pages.map((page) => ({ name: wordOf(page.path), page })),
    ...pages.flatMap((page) => wordsOf(page.title).map((name) => ({ name, page }))),
  ]
  const guess = closestWord(
    word,
    named.map(({ name }) => name),
  )
  return named.find(({ name }) => name === guess)?.page
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
