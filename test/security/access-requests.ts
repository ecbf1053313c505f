/** The name of the organization of the owner. */
export const OWNED_NAME = "acme's"
const DAY = 'fromMs=0&toMs=86400000'

/** Valid queries and bodies, so that a caller with access succeeds. `$token` is an open invitation, `$caller` the caller. */
export const VALID_QUERIES: Readonly<Record<string, string>> = {
  'GET /api/organizations/:org/usage': DAY,
  'GET /api/organizations/:org/usage.csv': DAY,
  'GET /api/organizations/:org/usage/queries': DAY,
  'GET /api/operator/organizations/:operated/usage': DAY,
}

export const VALID_BODIES: Readonly<Record<string, object>> = {
  'POST /api/invitations/lookup': { token: '$token' },
  'POST /api/invitations/accept': { token: '$token' },
  'POST /api/me/notices/dismiss': { lastId: 0 },
  'POST /api/setup': { token: 'unknown' },
  'POST /api/organizations': { name: 'New' },
  'PATCH /api/organizations/:org': { name: 'Renamed' },
  'POST /api/organizations/:org/second-factor': { required: false },
  'DELETE /api/organizations/:org': { name: OWNED_NAME },
  'POST /api/organizations/:org/transfer': { userId: 'admin' },
  'PATCH /api/organizations/:org/members/:user': { role: 'admin' },
  'POST /api/organizations/:org/invitations': { role: 'member' },
  'POST /api/organizations/:org/keys': { name: 'new' },
  'PATCH /api/organizations/:org/keys/:key': { name: 'Renamed' },
  'POST /api/organizations/:org/keys/:key/rotate': { keepOldForMs: 0 },
  'POST /api/organizations/:org/subscriptions': { url: 'https://receiver.example/', filters: '' },
  'POST /api/operator/sources': { slug: 'new', url: 'https://feeds.example.org/' },
  'POST /api/operator/sources/check': { url: 'https://feeds.example.org/' },
  'PATCH /api/operator/sources/:slug': { strict: true },
  'POST /api/operator/sources/:slug/accept': { accept: true },
  'POST /api/operator/source-totals': { slugs: ['clinic'] },
  'POST /api/operator/source-batches': { action: 'pause', slugs: ['clinic'] },
  'DELETE /api/me': { confirm: '$caller@example.org' },
  'DELETE /api/operator/sources/:slug': { slug: 'clinic' },
  'POST /api/operator/organizations/:operated/suspend': { reason: 'Unused' },
  'POST /api/operator/organizations/:operated/transfer': { userId: 'member' },
  'DELETE /api/operator/organizations/:operated': { name: OWNED_NAME },
  'POST /api/operator/accounts/:user/suspend': { reason: 'Unused' },
  'POST /api/operator/accounts/:user/verify-email': { email: 'colleague@example.org' },
  'DELETE /api/operator/accounts/:user': { confirm: 'colleague@example.org' },
  'POST /api/operator/operators': { email: 'member@example.org', role: 'viewer' },
  'PATCH /api/operator/operators/:user': { role: 'operator' },
  'POST /api/operator/checks': { url: 'https://feeds.example.org/' },
}

/** What the main thread replies. */
export const NODE_REPLIES: Readonly<Record<string, object>> = {
  'GET /api/explore/slots': { slots: [], total: 0 },
  'GET /api/explore/facets': { total: 0, state: [] },
  'GET /api/explore/days': { days: [], states: [], stateCount: 0, total: 0 },
  'GET /api/explore/suggestions': { values: [], hasMore: false, isPartial: false },
  'GET /api/operator/health': {
    nodeVersion: 'v24.0.0',
    startedAtMs: 0,
    ready: true,
    slots: 0,
    keys: 0,
    memory: { rssBytes: 0, heapBytes: 0, externalBytes: 0, maxBytes: 0, missingSlots: 0 },
    eventLoop: { p50Ms: 0, p99Ms: 0, past: [] },
  },
}
