import type { Options } from 'minisearch'
import type { SearchResult } from './searcher.ts'

/** Other words for words of the documentation, which find the same sections. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  alerts: ['monitoring', 'pager'],
  assistants: ['chatgpt', 'claude', 'llm'],
  authentication: ['login', 'token', 'auth'],
  backup: ['snapshot', 'dump'],
  client: ['sdk', 'library', 'npm'],
  errors: ['troubleshooting', 'exceptions'],
  export: ['download', 'bulk'],
  exports: ['download', 'bulk', 'excel'],
  limits: ['sla', 'quota', 'throttling', 'rate'],
  mirroring: ['sync', 'replicate', 'webhook', 'webhooks'],
  openapi: ['swagger', 'postman'],
  organizations: ['team', 'teams', 'workspace'],
  postalcode: ['zip', 'zipcode'],
  pricing: ['cost', 'price', 'plans', 'billing', 'free'],
  'self-hosting': ['install', 'docker', 'deploy'],
  versioning: ['deprecation', 'breaking'],
}

/** Most readers call the API: these pages come after those for callers. */
const FOR_OPERATORS =
  /^\/docs\/(?:changelog|checking-a-feed|configuration|importing|mapping|operations|postgresql|scaling|security|self-hosting)\b/

/** Its short sections would come before the guides that explain the same words. */
const IN_REFERENCE = /^\/docs\/api#/

/** Options of the search index, shared by the build and the browser. Synonyms are in the index, so that searching costs nothing more. */
export const SEARCH_OPTIONS = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'excerpt'],
  processTerm: (term: string) => {
    const word = term.toLowerCase()
    return Object.hasOwn(SYNONYMS, word) ? [word, ...SYNONYMS[word]] : word
  },
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
    boostDocument: (id: string) => (FOR_OPERATORS.test(id) ? 0.5 : IN_REFERENCE.test(id) ? 0.4 : 1),
    processTerm: (term: string) => term.toLowerCase(),
  },
} satisfies Options

/** Suggested if nothing is found. A test compares them with the documentation. */
export const POPULAR_PAGES: readonly SearchResult[] = [
  { id: '/docs/quickstart', page: 'Quickstart', heading: 'Quickstart', excerpt: 'A key and a first response.' },
  { id: '/docs/slots', page: 'Listing slots', heading: 'Listing slots', excerpt: 'All filters and fields.' },
  {
    id: '/docs/api',
    page: 'API reference',
    heading: 'API reference',
    excerpt: 'Every operation, with forms to try it.',
  },
]
