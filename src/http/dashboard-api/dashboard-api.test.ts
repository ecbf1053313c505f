import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness, ORIGIN, plain } from '../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { EMPTY_USAGE } from '../../keys/usage-batch.ts'
import { DASHBOARD_PROBLEMS } from '../../shared/dashboard-problem.ts'
import { MEMBER_ROLES, type MemberRole, PERMISSIONS } from '../../shared/permissions.ts'
import { ROUTES } from './dashboard-api.ts'
import type { Route } from './route.ts'

/** Two organizations with all that there is in one: an owner, an admin, a member, a key, a request, a subscription and an open invitation. */
async function openTwo(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  const ours = await fill(harness, 'our')
  return { harness, ours, theirs: await fill(harness, 'their') }
}

async function fill(harness: DashboardApiHarness, prefix: string) {
  const people: Record<MemberRole, string> = { owner: '', admin: '', member: '' }
  for (const role of MEMBER_ROLES) people[role] = await harness.addPerson(`${prefix}-${role}`)
  const { id } = await harness.addOrganization(people.owner)
  await harness.join(id, people.owner, { id: people.admin, role: 'admin' })
  await harness.join(id, people.owner, { id: people.member, role: 'member' })
  const { key } = await harness.addKey(id, people.owner)
  const { invitation } = await harness.invite(id, people.owner)
  const subscription = await harness.addSubscription(id, people.owner)
  const request = `${prefix}-request`
  const answered = { method: 'GET', target: '/', status: 200, durationUs: 1, requestId: request, leftOut: 0 }
  await harness.store.usage.add({ ...EMPTY_USAGE, logged: [{ keyId: key.id, atMs: harness.nowMs, ...answered }] })
  const parts = { org: id, key: key.id, user: people.member, id: invitation.id, request, ...subscription }
  return { people, parts }
}

function pathOf({ path }: Route, parts: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name) => parts[name] ?? 'x')
}

function isPermission(access: Route['access']): access is keyof typeof PERMISSIONS {
  return access in PERMISSIONS
}

/** The roles with access, independent of the table of permissions under test. */
const FOR_ADMINS = [
  'members.change-role',
  'members.remove',
  'invitations.read',
  'invitations.create',
  'invitations.revoke',
  'audit.read',
  'organization.rename',
]
const FOR_THE_OWNER = ['organization.require-second-factor', 'organization.transfer', 'organization.delete']

function isForRole(access: string, role: MemberRole): boolean {
  if (FOR_THE_OWNER.includes(access)) return role === 'owner'
  return role !== 'member' || !FOR_ADMINS.includes(access)
}

const OF_ORGANIZATION = ROUTES.filter(({ path }) => path.includes('/:org'))

test('every organization route requires a permission, and no other route does', () => {
  for (const { path, access } of ROUTES) assert.equal(isPermission(access), path.includes('/:org'), path)
})

test('every operator route requires the operator role, or to read only that of a viewer, and no other route does', () => {
  for (const { method, path, access } of ROUTES) {
    const expected = method === 'GET' ? 'viewer' : 'operator'
    assert.equal(access === expected, path.startsWith('/api/operator/'), path)
  }
})

test('every route requires a session except those for signing in', async (t) => {
  const { harness, ours } = await openTwo(t)
  for (const route of ROUTES) {
    const { status } = await harness.ask(route.method, pathOf(route, ours.parts))
    const isOpen = ['GET /api/options', 'GET /api/me', 'POST /api/invitations/lookup'].includes(
      `${route.method} ${route.path}`,
    )
    assert.equal(status === 401, !isOpen, `${route.method} ${route.path}: ${status}`)
  }
})

test('returns the same 404 for resources of other organizations as for unknown ones', async (t) => {
  const { harness, ours, theirs } = await openTwo(t)
  const nothing = { org: 'org_0', key: 'key_0', user: 'nobody', id: 'inv_0' }
  for (const route of OF_ORGANIZATION) {
    const [foreign, absent] = await Promise.all(
      [theirs.parts, nothing].map((parts) =>
        harness.ask(route.method, pathOf(route, parts), { as: ours.people.owner, body: bodyOf(route) }),
      ),
    )
    assert.equal(foreign.status, 404, `${route.method} ${route.path}`)
    assert.equal(foreign.text, absent.text)
  }
})

test("rejects access to resources of another organization through a path of one's own", async (t) => {
  const { harness, ours, theirs } = await openTwo(t)
  const mixed = { ...theirs.parts, org: ours.parts.org }
  const deeper = OF_ORGANIZATION.filter(({ path }) => /:(key|user|id|subscription)/.test(path))
  assert.ok(deeper.length >= 7)
  for (const route of deeper) {
    const { status } = await harness.ask(route.method, pathOf(route, mixed), {
      as: ours.people.owner,
      body: bodyOf(route),
    })
    assert.equal(status, 404, `${route.method} ${route.path}`)
  }
  const usage = `/api/organizations/${ours.parts.org}/usage?fromMs=0&toMs=1&key=${theirs.parts.key}`
  assert.equal((await harness.ask('GET', usage, { as: ours.people.owner })).status, 404)
  const [key] = await harness.store.keys.list(theirs.parts.org)
  assert.equal(key.revokedAtMs, undefined)
  assert.equal((await harness.store.memberships.list(theirs.parts.org)).length, 3)
})

test('each role is denied exactly the routes that it lacks permission for', async (t) => {
  const { harness, ours } = await openTwo(t)
  for (const route of OF_ORGANIZATION) {
    for (const role of MEMBER_ROLES.filter((each) => !isForRole(route.access, each))) {
      const { status, body } = await harness.ask(route.method, pathOf(route, ours.parts), {
        as: ours.people[role],
      })
      assert.equal(status, 403, `${role}: ${route.method} ${route.path}`)
      assert.match(body.detail, /Your role in our-owner's is (member|admin); this needs (admin|owner)\./)
    }
    if (route.method !== 'GET') continue
    const path = pathOf(route, ours.parts) + (route.path.includes('usage') ? '?fromMs=0&toMs=1' : '')
    for (const role of MEMBER_ROLES.filter((each) => isForRole(route.access, each)))
      assert.equal((await harness.ask('GET', path, { as: ours.people[role] })).status, 200, `${role}: ${path}`)
  }
})

test('only operators can use operator routes, not even owners', async (t) => {
  const { harness, ours } = await openTwo(t)
  for (const route of ROUTES.filter(({ path }) => path.startsWith('/api/operator/'))) {
    const { status } = await harness.ask(route.method, pathOf(route, {}), { as: ours.people.owner })
    assert.equal(status, 403, route.path)
  }
})

test('rejects cross-site and non-JSON requests without changing anything', async (t) => {
  const { harness, ours } = await openTwo(t)
  for (const route of ROUTES.filter(({ method }) => method !== 'GET')) {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'content-type': 'text/plain' }]) {
      const asking = { as: ours.people.owner, body: bodyOf(route), headers }
      const { status } = await harness.ask(route.method, pathOf(route, ours.parts), asking)
      assert.equal(status, 403, `${route.method} ${route.path}`)
    }
  }
  assert.equal((await harness.store.organizations.list()).length, 2)
})

test('every response forbids caching, including errors and responses of better-auth', async (t) => {
  const { harness, ours } = await openTwo(t)
  for (const path of ['/api/options', '/api/me', '/api/none', '/api/auth/get-session']) {
    const { headers } = await harness.ask('GET', path, { as: ours.people.owner })
    assert.equal(headers.get('cache-control'), 'no-store', path)
  }
})

test('passes /api/auth/ through to better-auth with cookies and methods', async (t) => {
  const { harness } = await openTwo(t)
  const headers = { origin: 'https://evil.example' }
  const { body, headers: answered } = await harness.ask('POST', '/api/auth/sign-in/email', { headers })
  assert.deepEqual(body, { pathname: '/api/auth/sign-in/email', origin: 'https://evil.example' })
  assert.deepEqual(answered.getSetCookie(), ['a=b'])
})

test('returns 404 for an unknown path and 405 with Allow for a wrong method', async (t) => {
  const { harness } = await openTwo(t)
  assert.equal((await harness.ask('GET', '/api/none')).status, 404)
  const wrong = await harness.ask('PATCH', '/api/me')
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, DELETE'])
})

test('a source may have the slug of another route', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  const body = { slug: 'check', url: 'https://a.example/' }
  await harness.get('POST', '/api/operator/sources', { as, body })
  assert.equal((await harness.get('GET', '/api/operator/sources/check', { as })).slug, 'check')
})

test('rejects bodies that are not JSON objects and unknown fields by name', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  for (const [body, field] of [
    ['{', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['', 'name'],
    ['{"name":"a","__proto__":{}}', '__proto__'],
    ['{"name":"a","role":"owner"}', 'role'],
    ['{"name":7}', 'name'],
  ]) {
    const answered = await harness.ask('POST', '/api/organizations', { as, body })
    assert.deepEqual([answered.status, answered.body.code, answered.body.field], [400, 'invalid-field', field], body)
  }
})

test('logs an internal error and returns a 500 without its details', async (t) => {
  const error = new Error('secret detail')
  const harness = await DashboardApiHarness.open(t, { queryNode: () => Promise.reject(error) })
  const as = await harness.addPerson('ann')
  const { status, text } = await harness.ask('GET', '/api/explore/slots', { as })
  assert.equal(status, 500)
  assert.ok(!text.includes('secret'))
  assert.deepEqual(harness.faults, [error])
})

test('Explore returns what the index replies, and its errors as problems of the dashboard API', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  harness.answer = plain(200, { slots: [], total: 0 }, { link: '<x>; rel="next"', 'cache-control': 'max-age=9' })
  const slots = await harness.ask('GET', '/api/explore/slots?state=zz&x=%2B', { as })
  assert.deepEqual([slots.body, slots.headers.get('link')], [{ slots: [], total: 0 }, '<x>; rel="next"'])
  assert.equal(slots.headers.get('cache-control'), 'no-store')
  const facets = { total: 2, state: [{ value: 'MA', count: 2 }] }
  harness.answer = plain(200, facets)
  assert.deepEqual((await harness.ask('GET', '/api/explore/facets?city=Boston', { as })).body, facets)
  harness.answer = plain(400, { error: 'Invalid parameter', message: 'Not a state.', parameter: 'state' })
  const { status, body } = await harness.ask('GET', '/api/explore/days', { as })
  assert.deepEqual([status, body.code, body.detail, body.field], [400, 'invalid-field', 'Not a state.', 'state'])
  harness.answer = plain(200, { days: [], states: [], stateCount: 0, total: 0 })
  assert.deepEqual((await harness.ask('GET', '/api/explore/days', { as })).body, {
    days: [],
    states: [],
    stateCount: 0,
    total: 0,
  })
  const by = { id: as, organizationId: as }
  assert.deepEqual(harness.asked, [
    { about: 'slots', search: 'state=zz&x=%2B', by },
    { about: 'operation', target: '/v1/scheduling/facets?city=Boston', by },
    { about: 'days', search: '', by },
    { about: 'days', search: '', by },
  ])
})

test('accepts requests without a body on routes that take none', async (t) => {
  const { harness, ours } = await openTwo(t)
  const path = `/api/organizations/${ours.parts.org}/leave`
  const headers = { origin: ORIGIN }
  assert.equal((await harness.ask('POST', path, { as: ours.people.member, headers })).status, 204)
})

/** A valid body for a route, so that only the access check can reject it. */
function bodyOf({ method, path }: Route): object | undefined {
  if (method === 'GET') return undefined
  if (path.endsWith('/members/:user') && method === 'PATCH') return { role: 'admin' }
  if (path.endsWith('/invitations')) return { role: 'member' }
  if (path.endsWith('/keys') || path.endsWith(':org') || path === '/api/organizations') return { name: 'x' }
  if (path.endsWith('/rotate')) return { keepOldForMs: 0 }
  return path.endsWith('/transfer') ? { userId: 'our-admin' } : {}
}

test('every error is a problem document of the catalog', async (t) => {
  const { harness, ours } = await openTwo(t)
  const as = ours.people.member
  const asking = [
    ['GET', '/api/none', {}, 'not-found'],
    ['PUT', '/api/me', { as }, 'method-not-allowed'],
    ['GET', '/api/organizations/x/keys', {}, 'session-required'],
    ['GET', '/api/operator/sources', { as }, 'forbidden'],
    ['POST', '/api/organizations', { as, headers: { origin: 'https://evil.example' } }, 'forbidden'],
    ['POST', '/api/organizations', { as, body: {} }, 'invalid-field'],
    ['POST', `/api/organizations/${ours.parts.org}/leave`, { as: ours.people.owner }, 'conflict'],
  ] as const
  for (const [method, path, options, code] of asking) {
    const { status, headers, body } = await harness.ask(method, path, options)
    assert.equal(headers.get('content-type'), 'application/problem+json', path)
    const { detail, field, ...rest } = body
    const { title, status: expected } = DASHBOARD_PROBLEMS[code]
    assert.deepEqual(rest, { type: `/docs/errors#${code}`, title, status: expected, code })
    assert.deepEqual(
      [status, typeof detail, typeof field],
      [expected, 'string', code === 'invalid-field' ? 'string' : 'undefined'],
    )
  }
})
