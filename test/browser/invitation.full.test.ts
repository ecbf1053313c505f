import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTES } from '../../src/http/dashboard-api/dashboard-api.ts'
import type { Route } from '../../src/http/dashboard-api/route.ts'
import { PERMISSIONS, type Permission } from '../../src/shared/permissions.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, fillSignUp, personOf, signUp } from './people.ts'

const OWNER = personOf('Ada Lovelace')
const MEMBER = personOf('Grace Hopper')
const STRANGER = personOf('Mary Somerville')

/** The values of path parameters such as `:org`. */
type Parts = Readonly<Record<string, string>>

/** A service with an owner, an invited member, each in a separate browser, and another organization. */
let owner: Page
let member: Page
let stranger: Page
let link: string
let parts: Parts

serveDashboard({
  begin: async (harness) => {
    owner = await harness.newcomer()
    member = await harness.newcomer()
    stranger = await harness.newcomer()
    await signUp(owner, OWNER)
    const org = await createOrganization(owner, 'Analytical Health')
    parts = { org, ...(await thingsOf(owner, org)) }
  },
})

test('a visitor without an account joins by a link', async () => {
  await owner.getByRole('link', { name: 'Members' }).click()
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  await owner.getByRole('button', { name: 'Create link' }).click()
  link = (await owner.getByRole('textbox', { name: 'Invitation link' }).textContent()) ?? ''
  await owner.keyboard.press('Escape')
  await owner.mouse.click(2, 2)
  const done = owner.getByRole('button', { name: 'Done' })
  await done.click()
  await owner.getByText("Confirm that you've copied it. It can't be shown again.").waitFor()
  await owner.getByRole('checkbox', { name: "I've copied it" }).check()
  await done.click()
  await done.waitFor({ state: 'detached' })

  await member.goto(link)
  await member.getByRole('heading', { name: 'Join Analytical Health' }).waitFor()
  await member.getByText('ada@example.org invited you as a member').waitFor()
  await member.getByRole('link', { name: 'Create an account' }).click()
  await member.getByText("Next, you'll join Analytical Health").waitFor()
  assert.equal(await member.getByText('Next, name your organization').count(), 0)
  await fillSignUp(member, MEMBER)
  await member.getByRole('button', { name: 'Join Analytical Health' }).click()
  await member.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await member.getByRole('link', { name: 'first key' }).waitFor()

  await owner.reload()
  await owner.getByRole('table', { name: 'Members' }).getByRole('row', { name: 'Grace Hopper' }).waitFor()
})

test('a used link admits no other person', async () => {
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: 'This invitation no longer works' }).waitFor()
  await signUp(stranger, STRANGER)
  await stranger.getByLabel('Organization name').waitFor()
  const token = link.split('#')[1]
  assert.equal((await call(stranger, 'POST', '/api/invitations/accept', { token })).status, 410)
})

test('hides admin actions from members', async () => {
  await member.getByRole('link', { name: 'Members' }).click()
  await member.getByRole('row', { name: 'Ada Lovelace' }).waitFor()
  assert.equal(await member.getByRole('button', { name: /^Invite/ }).count(), 0)
  assert.equal(await member.getByRole('heading', { name: 'Invitations' }).count(), 0)
  assert.equal(await member.getByRole('button', { name: /^Actions for/ }).count(), 0)
  await member.goto(`/app/o/${parts.org}/settings`)
  await member.getByRole('button', { name: 'Leave Analytical Health' }).waitFor()
  assert.equal(await member.getByRole('button', { name: /Save|Transfer|Delete/ }).count(), 0)
  await member.goto(`/app/o/${parts.org}/keys/${parts.key}`)
  await member.getByRole('heading', { name: 'first key', level: 1 }).waitFor()
  assert.equal(await member.getByRole('heading', { name: 'Activity' }).count(), 0)
})

test('the dialog for deleting an organization states that its audit log is kept', async () => {
  await owner.goto(`/app/o/${parts.org}/settings`)
  await owner.getByRole('button', { name: 'Delete Analytical Health' }).click()
  const text = await owner.getByRole('dialog').innerText()
  assert.match(text, /The\s+audit log is kept/)
  assert.doesNotMatch(text, /audit log go/)
  await owner.keyboard.press('Escape')
})

test('admin routes return 403 to a member and change nothing', async () => {
  const routes = ROUTES.filter(({ access }) => isPermission(access) && PERMISSIONS[access] !== 'member')
  assert.ok(routes.length >= 10)
  const before = await thingsOfOwner()
  await assertRefused(member, routes, /^403 Your role in Analytical Health is member/)
  assert.deepEqual(await thingsOfOwner(), before)
})

test('operator routes return 403 to the owner of an organization', async () => {
  const routes = ROUTES.filter(({ path }) => path.startsWith('/api/operator/'))
  await assertRefused(owner, routes, /^403 Only the operator/)
})

test('every route and page returns 404 for another organization', async () => {
  const org = await createOrganization(stranger, 'Mechanism of the Heavens')
  const routes = ROUTES.filter(({ access }) => isPermission(access))
  await assertRefused(stranger, routes, /^404 This organization does not exist/)
  // Nor through the path of the caller's own organization.
  const things = ROUTES.filter(({ path }) => /:(?:key|id|user)\b/.test(path) && path.includes('/:org/'))
  await assertRefused(stranger, things, /^404 This \w[\w ]* does not exist/, { ...parts, org })
  for (const page of ['keys', `keys/${parts.key}`, 'usage', 'members', 'audit', 'settings']) {
    await stranger.goto(`/app/o/${parts.org}/${page}`)
    await stranger.getByRole('heading', { name: 'Page not found' }).waitFor()
  }
  // The caller's own organization stays accessible.
  await stranger.getByRole('link', { name: 'Members' }).click()
  await stranger.getByRole('row', { name: STRANGER.email }).waitFor()
})

test('the row of a revoked invitation leaves the focus on the heading of the page', async () => {
  await owner.goto(`/app/o/${parts.org}/members`)
  await owner.getByRole('button', { name: 'Revoke invitation for anyone with the link' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await owner.getByText('Invitation revoked.').waitFor()
  await owner.locator('h1:focus').waitFor()
})

/** A new key, a new open invitation, and the owner of the organization. */
async function thingsOf(page: Page, org: string): Promise<Parts> {
  const { body: me } = await call(page, 'GET', '/api/me')
  const { body: made } = await call(page, 'POST', `/api/organizations/${org}/keys`, { name: 'first key' })
  const { body: invited } = await call(page, 'POST', `/api/organizations/${org}/invitations`, {
    role: 'admin',
  })
  const { userId } = me as { userId: string }
  const { key } = made as { key: { id: string } }
  const { invitation } = invited as { invitation: { id: string } }
  return { user: userId, key: key.id, id: invitation.id }
}

/** The organization, its members, invitations and keys, as its owner sees them. */
async function thingsOfOwner(): Promise<unknown[]> {
  const paths = ['', '/members', '/invitations', '/keys'].map((part) => `/api/organizations/${parts.org}${part}`)
  return Promise.all(paths.map((path) => call(owner, 'GET', path)))
}

function isPermission(access: Route['access']): access is Permission {
  return access in PERMISSIONS
}

/** Calls each route with the cookies of the page and a valid body. */
async function assertRefused(page: Page, routes: readonly Route[], answer: RegExp, known = parts): Promise<void> {
  for (const { method, path } of routes) {
    const named = path.replace(/:(\w+)/g, (_, name) => known[name] ?? 'any')
    const { status, body } = await call(page, method, named, bodyFor(method, path))
    const { detail } = body as { detail: string }
    assert.match(`${status} ${detail}`, answer, `${method} ${path}`)
  }
}

function bodyFor(method: string, path: string): object | undefined {
  if (method === 'GET') return undefined
  if (method === 'PATCH') return path.endsWith('/:key') ? { name: 'Renamed' } : { role: 'member' }
  return path.endsWith('/rotate') ? { keepOldForMs: 0 } : {}
}
