import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ROUTES } from '../../src/http/dashboard-api/dashboard-api.ts'
import { EMPTY_USAGE } from '../../src/keys/usage-batch.ts'
import { MINUTE_MS } from '../../src/lib/time.ts'
import { DashboardApiHarness, plain } from '../support/dashboard-api/dashboard-api-harness.ts'
import { NODE_REPLIES, OWNED_NAME, VALID_BODIES, VALID_QUERIES } from './access-requests.ts'

// Who may call what: the status of every route of the dashboard API for eight callers, spelled out. Every request is valid. "other"
// owns another organization. The setup link, the reset link and an upload have their own tests: here their parts are fakes. A route
// without a row fails the last test.

const CALLERS = ['stranger', 'signed-in', 'member', 'admin', 'owner', 'other', 'viewer', 'operator'] as const
type Caller = (typeof CALLERS)[number]

//                                                        stranger
//                                                        |     signed-in
//                                                        |     |     member
//                                                        |     |     |     admin
//                                                        |     |     |     |     owner
//                                                        |     |     |     |     |     other
//                                                        |     |     |     |     |     |     viewer
//                                                        |     |     |     |     |     |     |     operator
const TABLE = `
GET    /api/options                                        200   200   200   200   200   200   200   200
GET    /api/me                                             200   200   200   200   200   200   200   200
DELETE /api/me                                             401   204   204   204   204   204   204   204
POST   /api/setup                                          401   200   200   200   200   200   200   200
GET    /api/limits                                         401   200   200   200   200   200   200   200
POST   /api/organizations                                  401   200   200   200   200   200   200   200
GET    /api/organizations/:org                             401   404   200   200   200   404   404   404
PATCH  /api/organizations/:org                             401   404   403   200   200   404   404   404
GET    /api/organizations/:org/second-factor               401   404   403   403   200   404   404   404
POST   /api/organizations/:org/second-factor               401   404   403   403   200   404   404   404
DELETE /api/organizations/:org                             401   404   403   403   204   404   404   404
POST   /api/organizations/:org/transfer                    401   404   403   403   204   404   404   404
POST   /api/organizations/:org/leave                       401   404   204   204   409   404   404   404
GET    /api/organizations/:org/members                     401   404   200   200   200   404   404   404
PATCH  /api/organizations/:org/members/:user               401   404   403   204   204   404   404   404
DELETE /api/organizations/:org/members/:user               401   404   403   204   204   404   404   404
POST   /api/invitations/lookup                             200   200   200   200   200   200   200   200
POST   /api/invitations/accept                             401   200   200   200   200   200   200   200
GET    /api/organizations/:org/invitations                 401   404   403   200   200   404   404   404
POST   /api/organizations/:org/invitations                 401   404   403   200   200   404   404   404
DELETE /api/organizations/:org/invitations/:id             401   404   403   204   204   404   404   404
GET    /api/organizations/:org/keys                        401   404   200   200   200   404   404   404
POST   /api/organizations/:org/keys                        401   404   200   200   200   404   404   404
GET    /api/organizations/:org/keys/:key                   401   404   200   200   200   404   404   404
PATCH  /api/organizations/:org/keys/:key                   401   404   200   200   200   404   404   404
POST   /api/organizations/:org/keys/:key/rotate            401   404   200   200   200   404   404   404
POST   /api/organizations/:org/keys/:key/revoke            401   404   200   200   200   404   404   404
GET    /api/organizations/:org/subscriptions               401   404   200   200   200   404   404   404
POST   /api/organizations/:org/subscriptions               401   404   200   200   200   404   404   404
GET    /api/organizations/:org/subscriptions/:subscription  401   404   200   200   200   404   404   404
PATCH  /api/organizations/:org/subscriptions/:subscription  401   404   200   200   200   404   404   404
DELETE /api/organizations/:org/subscriptions/:subscription  401   404   204   204   204   404   404   404
POST   /api/organizations/:org/subscriptions/:subscription/rotate-secret  401   404   200   200   200   404   404   404
POST   /api/organizations/:org/subscriptions/:subscription/test  401   404   200   200   200   404   404   404
GET    /api/organizations/:org/subscriptions/:subscription/deliveries  401   404   200   200   200   404   404   404
GET    /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery  401   404   200   200   200   404   404   404
POST   /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery/retry  401   404   200   200   200   404   404   404
GET    /api/organizations/:org/usage                       401   404   200   200   200   404   404   404
GET    /api/organizations/:org/usage.csv                   401   404   200   200   200   404   404   404
GET    /api/organizations/:org/usage/queries               401   404   200   200   200   404   404   404
GET    /api/organizations/:org/logs                        401   404   200   200   200   404   404   404
GET    /api/organizations/:org/logs.csv                    401   404   200   200   200   404   404   404
GET    /api/organizations/:org/logs/:request               401   404   200   200   200   404   404   404
GET    /api/organizations/:org/keys/:key/addresses         401   404   200   200   200   404   404   404
GET    /api/organizations/:org/audit                       401   404   403   200   200   404   404   404
GET    /api/organizations/:org/audit.csv                   401   404   403   200   200   404   404   404
GET    /api/operator/audit                                 401   403   403   403   403   403   200   200
GET    /api/operator/audit.csv                             401   403   403   403   403   403   200   200
GET    /api/me/security-log                                401   200   200   200   200   200   200   200
GET    /api/me/security-log.csv                            401   200   200   200   200   200   200   200
POST   /api/me/notices/dismiss                             401   204   204   204   204   204   204   204
GET    /api/explore/slots                                  401   200   200   200   200   200   200   200
GET    /api/explore/slots.csv                              401   200   200   200   200   200   200   200
GET    /api/explore/days                                   401   200   200   200   200   200   200   200
GET    /api/explore/facets                                 401   200   200   200   200   200   200   200
GET    /api/explore/suggestions                            401   200   200   200   200   200   200   200
GET    /api/explore/places                                 401   400   400   400   400   400   400   400
POST   /api/operator/sources                               401   403   403   403   403   403   403   200
POST   /api/operator/sources/check                         401   403   403   403   403   403   403   200
GET    /api/operator/sources/:slug                         401   403   403   403   403   403   200   200
PATCH  /api/operator/sources/:slug                         401   403   403   403   403   403   403   200
POST   /api/operator/sources/:slug/accept                  401   403   403   403   403   403   403   200
GET    /api/operator/sources/:slug/open-slots              401   403   403   403   403   403   200   200
POST   /api/operator/sources/:slug/sync                    401   403   403   403   403   403   403   200
DELETE /api/operator/sources/:slug                         401   403   403   403   403   403   403   204
GET    /api/operator/source-log                            401   403   403   403   403   403   200   200
GET    /api/operator/sources                               401   403   403   403   403   403   200   200
GET    /api/operator/source-summary                        401   403   403   403   403   403   200   200
GET    /api/operator/source-slugs                          401   403   403   403   403   403   200   200
POST   /api/operator/source-totals                         401   403   403   403   403   403   403   200
POST   /api/operator/source-batches                        401   403   403   403   403   403   403   200
POST   /api/operator/sources/:slug/upload                  401   403   403   403   403   403   403   400
POST   /api/operator/checks                                401   403   403   403   403   403   403   200
GET    /api/operator/checks/:check                         401   403   403   403   403   403   404   404
DELETE /api/operator/checks/:check                         401   403   403   403   403   403   403   404
GET    /api/operator/organizations                         401   403   403   403   403   403   200   200
GET    /api/operator/organizations/:operated               401   403   403   403   403   403   200   200
GET    /api/operator/organizations/:operated/members       401   403   403   403   403   403   200   200
GET    /api/operator/organizations/:operated/keys          401   403   403   403   403   403   200   200
GET    /api/operator/organizations/:operated/usage         401   403   403   403   403   403   200   200
POST   /api/operator/organizations/:operated/suspend       401   403   403   403   403   403   403   204
POST   /api/operator/organizations/:operated/resume        401   403   403   403   403   403   403   409
POST   /api/operator/organizations/:operated/transfer      401   403   403   403   403   403   403   204
DELETE /api/operator/organizations/:operated               401   403   403   403   403   403   403   204
GET    /api/operator/accounts                              401   403   403   403   403   403   200   200
GET    /api/operator/accounts/:user                        401   403   403   403   403   403   200   200
POST   /api/operator/accounts/:user/reset-link             401   403   403   403   403   403   403   200
POST   /api/operator/accounts/:user/end-sessions           401   403   403   403   403   403   403   204
POST   /api/operator/accounts/:user/suspend                401   403   403   403   403   403   403   409
POST   /api/operator/accounts/:user/resume                 401   403   403   403   403   403   403   409
POST   /api/operator/accounts/:user/reset-second-factor    401   403   403   403   403   403   403   409
POST   /api/operator/accounts/:user/verify-email           401   403   403   403   403   403   403   409
DELETE /api/operator/accounts/:user                        401   403   403   403   403   403   403   204
GET    /api/operator/operators                             401   403   403   403   403   403   200   200
POST   /api/operator/operators                             401   403   403   403   403   403   403   204
PATCH  /api/operator/operators/:user                       401   403   403   403   403   403   403   204
DELETE /api/operator/operators/:user                       401   403   403   403   403   403   403   204
GET    /api/operator/health                                401   403   403   403   403   403   200   200
GET    /api/operator/alerts                                401   403   403   403   403   403   200   200
POST   /api/operator/alerts/test                           401   403   403   403   403   403   403   200
`

for (const [route, statuses] of parseTable()) {
  test(route, async (t) => {
    const actual = await statusesOf(t, route)
    assert.deepEqual(byCaller(actual), byCaller(statuses))
  })
}

const PRIVILEGED = [
  'DELETE /api/me',
  'POST /api/organizations/:org/second-factor',
  'DELETE /api/organizations/:org',
  'POST /api/organizations/:org/transfer',
  'PATCH /api/organizations/:org/members/:user',
  'POST /api/operator/organizations/:operated/suspend',
  'POST /api/operator/organizations/:operated/resume',
  'POST /api/operator/organizations/:operated/transfer',
  'DELETE /api/operator/organizations/:operated',
  'POST /api/operator/accounts/:user/reset-link',
  'POST /api/operator/accounts/:user/end-sessions',
  'POST /api/operator/accounts/:user/suspend',
  'POST /api/operator/accounts/:user/resume',
  'POST /api/operator/accounts/:user/reset-second-factor',
  'POST /api/operator/accounts/:user/verify-email',
  'DELETE /api/operator/accounts/:user',
  'POST /api/operator/operators',
  'PATCH /api/operator/operators/:user',
  'DELETE /api/operator/operators/:user',
]

test('these routes, and no others, require a confirmation of the last 15 minutes', async (t) => {
  const fixture = await openFixture(t)
  fixture.harness.signIn.confirmedAgoMs = 15 * MINUTE_MS
  const refused: string[] = []
  for (const { method, path } of ROUTES.filter(({ access }) => access !== 'anyone')) {
    const route = `${method} ${path}`
    const caller = path.startsWith('/api/operator') ? 'operator' : 'owner'
    if ((await problemOf(fixture, route, caller)) === 'confirmation-required') refused.push(route)
  }
  assert.deepEqual(refused, PRIVILEGED)
})

test('every route has a row', () => {
  const routes = ROUTES.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(
    parseTable().map(([route]) => route),
    routes,
  )
})

function parseTable(): [string, number[]][] {
  return TABLE.trim()
    .split('\n')
    .map((line) => {
      const [method, path, ...statuses] = line.trim().split(/\s+/)
      return [`${method} ${path}`, statuses.map(Number)]
    })
}

function byCaller(statuses: readonly number[]): Record<string, number> {
  return Object.fromEntries(CALLERS.map((caller, at) => [caller, statuses[at]]))
}

/** Opens a new store after each request that may have changed something. */
async function statusesOf(t: TestContext, route: string): Promise<number[]> {
  const statuses: number[] = []
  let fixture: Fixture | undefined
  for (const caller of CALLERS) {
    fixture ??= await openFixture(t)
    const status = await ask(fixture, route, caller)
    statuses.push(status)
    if (status < 300 && !route.startsWith('GET')) fixture = undefined
  }
  return statuses
}

interface Fixture {
  readonly harness: DashboardApiHarness
  readonly parts: Readonly<Record<string, string>>
}

async function ask(fixture: Fixture, route: string, caller: Caller): Promise<number> {
  return (await send(fixture, route, caller)).status
}

async function problemOf(fixture: Fixture, route: string, caller: Caller): Promise<string | undefined> {
  return (await send(fixture, route, caller)).body?.code
}

function send({ harness, parts }: Fixture, route: string, caller: Caller) {
  const [method, path] = route.split(' ')
  const query = VALID_QUERIES[route] === undefined ? '' : `?${VALID_QUERIES[route]}`
  const target = path.replace(/:(\w+)/g, (_, name) => parts[name]) + query
  const body =
    VALID_BODIES[route] && JSON.stringify(VALID_BODIES[route]).replace('$token', parts.token).replace('$caller', caller)
  harness.answer = plain(200, NODE_REPLIES[route] ?? {})
  return harness.ask(method, target, {
    ...(caller === 'stranger' ? {} : { as: caller }),
    ...(method === 'GET' ? {} : { body: body ?? {} }),
  })
}

/** Rights in the service. The colleague, whom the requests about a person name, is a viewer. */
function rightsOf(id: string): { operator?: true | 'viewer' } {
  if (id === 'operator') return { operator: true }
  return id === 'viewer' || id === 'colleague' ? { operator: 'viewer' } : {}
}

/** An organization with an owner, an admin, two members, a key and an open invitation, another organization, and a source. */
async function openFixture(t: TestContext): Promise<Fixture> {
  const harness = await DashboardApiHarness.open(t)
  for (const id of [...CALLERS.slice(1), 'colleague']) await harness.addPerson(id, rightsOf(id))
  await harness.addPerson('another-operator', { operator: true })
  const { id: org } = await harness.addOrganization('owner', OWNED_NAME)
  await harness.join(org, 'owner', { id: 'admin', role: 'admin' })
  for (const id of ['member', 'colleague']) await harness.join(org, 'owner', { id, role: 'member' })
  await harness.addOrganization('other')
  const { key } = await harness.addKey(org, 'owner')
  const request = { method: 'GET', target: '/v1/scheduling/slots', status: 200, durationUs: 9, requestId: 'r1' }
  const logged = [{ keyId: key.id, atMs: harness.nowMs, ...request, leftOut: 0 }]
  await harness.store.usage.add({ ...EMPTY_USAGE, logged })
  const { invitation, token } = await harness.invite(org, 'owner')
  const created = { url: 'https://receiver.example/', filters: '' }
  const subscriptions = `/api/organizations/${org}/subscriptions`
  const { subscription } = await harness.get('POST', subscriptions, { as: 'owner', body: created })
  const { deliveries } = await harness.get('GET', `${subscriptions}/${subscription.id}/deliveries`, { as: 'owner' })
  const source = { slug: 'clinic', url: 'https://feeds.example.org/' }
  await harness.get('POST', '/api/operator/sources', { as: 'operator', body: source })
  const ids = {
    org,
    operated: org,
    key: key.id,
    subscription: subscription.id,
    delivery: deliveries[0].id,
    user: 'colleague',
    id: invitation.id,
    slug: 'clinic',
    check: 'check_0',
    request: 'r1',
  }
  return { harness, parts: { ...ids, token } }
}
