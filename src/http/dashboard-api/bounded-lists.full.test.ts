import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness } from '../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { openUsage } from '../../../test/support/dashboard-api/usage-rows.ts'
import { addPerson, found } from '../../../test/support/store/conformance/people.ts'
import { EMPTY_USAGE } from '../../keys/usage-batch.ts'
import { SECOND_MS } from '../../lib/time.ts'
import { MEMBERSHIPS_MAX } from '../../store/contracts/organizations.ts'
import { LimitReached, type Store } from '../../store/contracts/store.ts'
import { ROUTES } from './dashboard-api.ts'
import { USAGE_ROWS_MAX } from './usage/usage.ts'

/** More than any page has. */
const ROWS = 250
const ROWS_MAX = 200

/** Lists that only operators and the configuration make longer, or that have a bound with a test of its own. */
const BOUNDED_OTHERWISE = new Set([
  'GET /api/options',
  'GET /api/operator/health',
  'GET /api/operator/operators',
  'GET /api/operator/alerts',
  // At most 1,000 rejections and 300 syncs.
  'GET /api/operator/sources/:slug',
  // `SELECTED_MAX`.
  'GET /api/operator/source-slugs',
  // At most 80 states at 400 times.
  'GET /api/operator/sources/:slug/open-slots',
  // `USAGE_ROWS_MAX`, in the test below.
  'GET /api/organizations/:org/usage',
  'GET /api/organizations/:org/usage.csv',
  'GET /api/operator/organizations/:operated/usage',
  // `QUERIES_MAX`, in top-queries.ts.
  'GET /api/organizations/:org/usage/queries',
  // `EXPORT_ROWS_MAX`, in audit.test.ts.
  'GET /api/organizations/:org/audit.csv',
  'GET /api/operator/audit.csv',
  // `EXPORT_ROWS_MAX`, of the request log.
  'GET /api/organizations/:org/logs.csv',
  // Answered by the main thread, in pages of /v1.
  'GET /api/explore/slots',
  // `EXPLORE_CSV_ROWS_MAX`, in csv-downloads.test.ts.
  'GET /api/explore/slots.csv',
  'GET /api/explore/days',
  'GET /api/explore/facets',
  'GET /api/explore/suggestions',
  'GET /api/explore/places',
  // A report has a bound by the validator: few examples of each rule, 10,000 files.
  'GET /api/operator/checks/:check',
])

test('no list of the dashboard API has more than 200 rows', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann', { operator: true })
  const { id } = await harness.addOrganization(as)
  const { key } = await harness.addKey(id, as)
  await fill(harness, id)
  await logRequests(harness, key.id)
  const { subscription, delivery } = await harness.addSubscription(id, as)
  for (let n = 0; n < ROWS; n++) {
    harness.advance(SECOND_MS)
    await harness.addSubscription(id, as)
  }
  const lists: string[] = []
  for (const route of ROUTES.filter(({ method }) => method === 'GET')) {
    const name = `GET ${route.path}`
    if (BOUNDED_OTHERWISE.has(name)) continue
    const path = route.path
      .replace(/:(org|operated)\b/, id)
      .replace(':user', as)
      .replace(':key', key.id)
      .replace(':request', 'r0')
      .replace(':subscription', subscription)
      .replace(':delivery', delivery)
    const body = await harness.get('GET', path, { as })
    for (const [at, length] of listsIn(body)) {
      assert.ok(length <= ROWS_MAX, `${name} ${at} has ${length} rows`)
      if (length >= 25) lists.push(`${name} ${at}`)
    }
  }
  assert.deepEqual(lists.sort(), [
    'GET /api/operator/accounts accounts',
    'GET /api/operator/audit entries',
    'GET /api/operator/organizations organizations',
    'GET /api/operator/organizations/:operated/keys keys',
    'GET /api/operator/organizations/:operated/members members',
    'GET /api/operator/source-log actions',
    'GET /api/operator/source-log existing',
    'GET /api/operator/sources sources',
    'GET /api/organizations/:org/audit entries',
    'GET /api/organizations/:org/invitations invitations',
    'GET /api/organizations/:org/keys keys',
    'GET /api/organizations/:org/keys/:key/addresses addresses',
    'GET /api/organizations/:org/logs entries',
    'GET /api/organizations/:org/members members',
    'GET /api/organizations/:org/subscriptions subscriptions',
  ])
})

test('refuses a time span with more counts of usage than one response may have', async (t) => {
  const { ask } = await openUsage(t, USAGE_ROWS_MAX + 1)
  for (const form of ['', '.csv']) {
    const refused = await ask(form)
    assert.deepEqual([refused.status, refused.body.field], [400, 'fromMs'])
  }
})

test('a person belongs to at most 200 organizations', async (t) => {
  const { store } = await DashboardApiHarness.open(t)
  const ann = await addPerson(store, 'Ann')
  const { organization, owner } = await found(store)
  await join(store, ann.userId, MEMBERSHIPS_MAX)
  const terms = { organizationId: organization.id, role: 'member', tokenHash: 'x', expiresAtMs: 1e15 } as const
  await store.invitations.create(terms, owner)
  const accept = () => store.invitations.accept('x', { id: ann.userId, email: ann.name }, ann)
  await assert.rejects(accept(), LimitReached)
  await store.memberships.remove({ organizationId: 'other-0', userId: ann.userId }, ann)
  assert.equal((await accept()).outcome, 'joined')
})

/** The arrays in a body, by the path to them. */
function listsIn(value: unknown, at = ''): [at: string, length: number][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, each]) =>
    listsIn(each, Array.isArray(value) ? at : `${at} ${name}`.trim()),
  )
  return Array.isArray(value) ? [[at, value.length], ...inner] : inner
}

/** More rows of each kind than a page has. */
async function fill({ store }: DashboardApiHarness, organizationId: string): Promise<void> {
  const { queries } = store.signIn
  const at = new Date(0).toISOString()
  const numbers = Array.from({ length: ROWS }, (_, n) => n)
  const person = (n: number) => ({ id: `p${n}`, name: `P${n}`, email: `p${n}@example.org`, emailVerified: 1 })
  const users = numbers.map((n) => ({ ...person(n), createdAt: at, updatedAt: at }))
  await queries.insertInto('users').values(users).execute()
  const member = { organization_id: organizationId, role: 'member', joined_at_ms: 0 }
  await queries
    .insertInto('memberships')
    .values(numbers.map((n) => ({ ...member, user_id: `p${n}` })))
    .execute()
  const organization = (n: number) => ({ id: `o${n}`, name: `O${n}`, name_folded: `o${n}`, created_at_ms: 0 })
  await queries.insertInto('organizations').values(numbers.map(organization)).execute()
  for (const n of numbers) {
    const terms = { organizationId, role: 'member', tokenHash: `t${n}`, expiresAtMs: 1e15 } as const
    await store.invitations.create(terms, { name: 'test' })
    await store.keys.put({ ...KEY, id: `k${n}`, organizationId, hash: `h${n}` })
    await store.sources.add({ slug: `s${n}`, url: 'https://a.example/', strict: false }, { name: 'test' })
    await store.audit.record({ kind: 'account.sessions-ended', userId: `p${n}`, by: { name: 'test' } })
  }
}

/** As many requests, and as many addresses. */
function logRequests({ store, nowMs }: DashboardApiHarness, keyId: string): Promise<void> {
  const base = { keyId, atMs: nowMs, method: 'GET', target: '/', status: 200, durationUs: 1, leftOut: 0 }
  return store.usage.add({
    ...EMPTY_USAGE,
    logged: Array.from({ length: ROWS }, (_, n) => ({ ...base, requestId: `r${n}` })),
    addresses: Array.from({ length: ROWS }, (_, n) => ({ keyId, atMs: nowMs, address: `192.0.2.${n}` })),
  })
}

const KEY = { name: 'k', lastFour: 'abcd', createdAtMs: 0 }

async function join(store: Store, userId: string, count: number): Promise<void> {
  const { queries } = store.signIn
  const ids = Array.from({ length: count }, (_, n) => `other-${n}`)
  const organizations = ids.map((id) => ({ id, name: id, name_folded: id, created_at_ms: 0 }))
  await queries.insertInto('organizations').values(organizations).execute()
  const memberships = ids.map((id) => ({ organization_id: id, user_id: userId, role: 'member', joined_at_ms: 0 }))
  await queries.insertInto('memberships').values(memberships).execute()
}
