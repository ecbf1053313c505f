import type { Options } from 'minisearch'

/** How the index of the documentation is made and asked: the build and the browser must agree. */
export const SEARCH_OPTIONS = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'excerpt'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
} satisfies Options
