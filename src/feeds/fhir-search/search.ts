import { createHash, type Hash } from 'node:crypto'
import { got, type Json, objectsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { truncate } from '../../lib/text.ts'
import { parseInstant } from '../../slot/instant.ts'
import { FeedFailure } from '../connector.ts'
import { readOutcome } from '../fhir/operation-outcome.ts'
import { type ArrayLocation, JsonArraySplitter } from '../http/json-array-splitter.ts'
import type { LineBatch } from '../http/lines.ts'
import type { FileResponse } from '../http/publisher-client.ts'
import { InvalidData } from '../rejections.ts'
import type { ServerClient } from './server-client.ts'
import { nextPage } from './slot-query.ts'

/** Receives the entries of pages. `file` is the URL of the page. */
export interface EntryHandler {
  /** Returns how many entries match the search: all but included resources and OperationOutcomes. */
  take(entries: LineBatch, file: string): number
  /** Called after a complete page. */
  finishPage(file: string): Promise<void>
}

/** The result of reading all pages of a search. */
export interface SearchResult {
  /** The server's time of the response, if it sent one. */
  readonly publishedAtMs?: number
  /** Matches may have moved to pages that were read already. */
  readonly isMixed: boolean
}

/** 5,000,000 slots in pages of 500. */
const PAGES_MAX = 10_000

/** A server without paging sends all its slots on one page. */
const PAGE_ENTRIES_MAX = 200_000

/** A server may filter after paging, so that some pages have no match. */
const EMPTY_PAGES_MAX = 100

const ENTRIES: ArrayLocation = { names: ['entry'], atRoot: false, document: 'a JSON object' }

/** Maximum length of a URL in rejections. */
const FILE_LENGTH_MAX = 1000

/**
 * Reads all pages of a search by following `Bundle.link`. Throws `FeedFailure` if a page is incomplete, if there are fewer
 * matches than the server's total, and for endless paging: cycles, repeated or empty pages, or too many pages.
 */
export async function readSearch(
  client: ServerClient,
  first: FileResponse,
  handler: EntryHandler,
): Promise<SearchResult> {
  const pages = new Pages()
  let publishedAtMs: number | undefined
  for (let response = first; ; ) {
    const { url } = response
    try {
      const bundle = await readPage(response, url, handler, pages)
      publishedAtMs ??= lastUpdatedOf(bundle)
      const next = nextPage(bundle, url)
      if (next === undefined) {
        pages.requireAll()
        return { ...defined({ publishedAtMs }), isMixed: pages.areMixed }
      }
      pages.goTo(next)
      response = await client.open(next)
    } catch (error) {
      if (!(error instanceof InvalidData)) throw error
      throw new FeedFailure(`Cannot read ${truncate(url.href, 500)}: ${error.message}`)
    }
  }
}

async function readPage(response: FileResponse, url: URL, handler: EntryHandler, pages: Pages): Promise<Json> {
  const splitter = new JsonArraySplitter(ENTRIES)
  const file = url.href.slice(0, FILE_LENGTH_MAX)
  for await (const piece of response.body) {
    const entries = splitter.split(piece)
    if (entries.lines.length === 0) continue
    pages.pass(entries)
    pages.matches += handler.take(entries, file)
  }
  const bundle = splitter.end()
  requireBundle(bundle)
  pages.finish(bundle)
  await handler.finishPage(file)
  return bundle
}

function requireBundle(bundle: Json): void {
  const { resourceType } = bundle
  if (resourceType === 'OperationOutcome')
    throw new InvalidData(`it must be a Bundle: got an OperationOutcome (${readOutcome(bundle).text})`)
  if (resourceType !== 'Bundle') throw new InvalidData(`it must be a Bundle: ${got(resourceType)}`)
}

function lastUpdatedOf({ meta }: Json): number | undefined {
  const [first] = objectsIn(meta)
  return typeof first?.lastUpdated === 'string' ? parseInstant(first.lastUpdated)?.ms : undefined
}

/** Detects endless paging and missing matches. Throws `InvalidData`. */
class Pages {
  matches = 0
  #matchesBefore = 0
  /** The smallest of all pages: some servers estimate it, and slots come and go meanwhile. */
  #total: number | undefined
  #totalMax = 0
  #totalBefore = 0
  #hasFallen = false
  readonly #urls = new Set<string>()
  readonly #contents = new Set<string>()
  #content: Hash | undefined
  #emptyInARow = 0

  pass(entries: LineBatch): void {
    if (entries.first + entries.lines.length > PAGE_ENTRIES_MAX + 1)
      throw new InvalidData(`a page must have at most ${PAGE_ENTRIES_MAX} entries`)
    this.#content ??= createHash('sha256')
    for (const line of entries.lines) this.#content.update(line)
  }

  finish({ total }: Json): void {
    if (typeof total === 'number') {
      this.#total = Math.min(total, this.#total ?? total)
      this.#totalMax = Math.max(total, this.#totalMax)
      if (total < this.#totalBefore) this.#hasFallen = true
      this.#totalBefore = total
    }
    const content = this.#content?.digest('base64')
    this.#content = undefined
    const isEmpty = this.matches === this.#matchesBefore
    this.#matchesBefore = this.matches
    this.#emptyInARow = isEmpty ? this.#emptyInARow + 1 : 0
    if (this.#emptyInARow > EMPTY_PAGES_MAX)
      throw new InvalidData(`at most ${EMPTY_PAGES_MAX} pages must be empty in a row`)
    // Pages without a match may repeat the same outcome or included resources.
    if (isEmpty || content === undefined) return
    if (this.#contents.has(content)) throw new InvalidData('the server returned the same page twice')
    this.#contents.add(content)
  }

  /**
   * The total fell from one page to the next: a match may have moved to a page that was read already. Of a server whose total counts the
   * entries of a page, there are more matches than any total.
   */
  get areMixed(): boolean {
    return this.#hasFallen && this.matches <= this.#totalMax
  }

  /** Called after the last page. */
  requireAll(): void {
    if (this.#total === undefined || this.matches >= this.#total) return
    throw new InvalidData(
      `the search result is incomplete: its total is ${this.#total}, but its pages have ${this.matches} matching resources`,
    )
  }

  goTo({ href }: URL): void {
    const name = createHash('sha256').update(href).digest('base64')
    if (this.#urls.has(name)) throw new InvalidData('link "next" leads back to a page that was already read')
    this.#urls.add(name)
    if (this.#urls.size >= PAGES_MAX) throw new InvalidData(`there must be at most ${PAGES_MAX} pages`)
  }
}
