import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS } from './search-options.ts'

/** A section of the documentation that was found. */
export interface Found {
  /** Its path, with its `#`. */
  readonly id: string
  readonly heading: string
  readonly page: string
  readonly excerpt: string
}

/** Finds sections by words, the best first, at most eight. */
export type Searcher = (words: string) => readonly Found[]

/** Loads the index that the build made. Throws if it cannot be had. */
export async function loadSearcher(address: string): Promise<Searcher> {
  const response = await fetch(address)
  if (!response.ok)
    throw new Error(`Cannot load the search index: status must be 200: got "${response.status}"`)
  const index = MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS)
  return (words) =>
    index
      .search(words)
      .slice(0, 8)
      .map(({ id, heading, page, excerpt }) => ({ id, heading, page, excerpt }))
}
