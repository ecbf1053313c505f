import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS } from '../site/search-options.ts'
import type { Section } from './markdown.ts'

/** A section of the documentation as the search knows it. */
export interface SearchedSection extends Section {
  /** With its `#`, if it is not the beginning of its page. */
  readonly path: string
  readonly page: string
}

/** The index of all sections, as the script of the search box loads it. */
export function searchIndex(sections: readonly SearchedSection[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS)
  index.addAll(
    sections.map(({ path, page, heading, text, excerpt }) => ({
      id: path,
      page,
      heading,
      text,
      excerpt: cut(excerpt),
    })),
  )
  return JSON.stringify(index)
}

function cut(text: string): string {
  if (text.length <= 140) return text
  return `${text.slice(0, text.lastIndexOf(' ', 140))} …`
}
