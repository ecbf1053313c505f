import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS } from './search-options.ts'

/** A matching section of the documentation. */
export interface SearchResult {
  /** Path with the fragment. */
  readonly id: string
  readonly heading: string
  readonly page: string
  readonly excerpt: string
}

/** Finds at most eight sections, the best first. */
export type Searcher = (text: string) => readonly SearchResult[]

/** Loads the search index. Throws if it is unavailable. */
export async function loadSearcher(address: string): Promise<Searcher> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The search index could not be loaded: status ${response.status}`)
  const index = MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS)
  return (text) =>
    index
      .search(text)
      .slice(0, 8)
      .map(({ id, heading, page, excerpt }) => ({ id, heading, page, excerpt }))
}
