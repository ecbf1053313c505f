import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { MINUTE_MS } from '../../src/lib/time.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'

const SCRIPTS_MAX = 12

let page: Page
let org: string

const harness = serveDashboard({
  begin: async () => {
    page = await harness.newcomer()
    await signUp(page, personOf('Ada'))
    org = await createOrganization(page, 'Analytical Health')
  },
})

test('the keys page asks for the visitor, the options and the keys at once, in twelve script files', async (t) => {
  const asked: string[] = []
  const scripts: string[] = []
  const release = Promise.withResolvers<void>()
  const allAsked = Promise.withResolvers<void>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await page.route('**/api/**', async (route) => {
    asked.push(new URL(route.request().url()).pathname)
    if (asked.length === 3) allAsked.resolve()
    await release.promise
    await route.continue()
  })
  t.after(() => page.unrouteAll({ behavior: 'wait' }))
  const keys = `/app/o/${org}/keys`
  await page.goto(keys, { waitUntil: 'commit' })
  await page.getByRole('main').getByRole('status').getByText('Loading').waitFor({ state: 'attached' })
  await allAsked.promise
  assert.deepEqual(asked.toSorted(), ['/api/me', '/api/options', `/api/organizations/${org}/keys`].toSorted())
  release.resolve()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.ok(scripts.length <= SCRIPTS_MAX, scripts.map((url) => new URL(url).pathname).join(' '))
})

test('shows a frame before any script of the dashboard has come', async () => {
  const context = page.context()
  const slow = await context.newPage()
  const release = Promise.withResolvers<void>()
  await slow.route('**/assets/*.js', async (route) => {
    await release.promise
    await route.continue()
  })
  await slow.goto(`/app/o/${org}/keys`, { waitUntil: 'commit' })
  await slow.getByRole('main').waitFor()
  assert.equal((await slow.getByRole('main').boundingBox())?.x, 232)
  release.resolve()
  await slow.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await slow.close()
})

test('the sign-in page sends a visitor who is signed in on to the page of the link', async () => {
  const next = encodeURIComponent(`/app/o/${org}/usage?range=24h`)
  await page.goto(`/app/sign-in?next=${next}`)
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).search, '?range=24h')
  await page.goto('/app/sign-in?next=https://evil.example/app')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
})

test('starting again at the second factor keeps the page to continue to', async () => {
  const stranger = await harness.newcomer()
  await stranger.goto('/app/two-factor?next=/app/explore')
  await stranger.getByRole('link', { name: 'Start again' }).click()
  await stranger.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  assert.equal(new URL(stranger.url()).searchParams.get('next'), '/app/explore')
})

test('a stranger is asked to sign in, and nothing fails', async () => {
  const stranger = await harness.newcomer()
  const failed: string[] = []
  stranger.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
  })
  await stranger.goto(`/app/o/${org}/keys`)
  await stranger.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  assert.deepEqual(failed, [])
})

test('says that the session goes on if sign-out fails, and signs out of a session that another tab has ended', async (t) => {
  await page.goto(`/app/o/${org}/keys`)
  const signOut = async () => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await page.route('**/api/auth/sign-out', (route) => route.abort())
  t.after(() => page.unrouteAll())
  await signOut()
  await page.getByRole('alert').getByText("You're still signed in. Can't reach the service.").waitFor()
  await page.unrouteAll()
  await call(page, 'POST', '/api/auth/sign-out', {})
  await signOut()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('shows nothing of an account once another tab has signed in with another', async () => {
  const ada = personOf('Ada')
  const grace = await harness.newcomer()
  await signUp(grace, personOf('Grace'))
  await createOrganization(grace, 'Compiling Health')
  await grace.goto('/app/account')
  const name = grace.getByRole('textbox', { name: 'Name', exact: true })
  await name.waitFor()
  await call(grace, 'POST', '/api/auth/sign-out', {})
  await call(grace, 'POST', '/api/auth/sign-in/email', { email: ada.email, password: ada.password })
  // The visitor returns to the tab after a while.
  await grace.clock.setFixedTime(Date.now() + 2 * MINUTE_MS)
  const reloaded = grace.waitForEvent('load')
  await grace.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await reloaded
  await name.waitFor()
  assert.equal(await name.inputValue(), ada.name)
})
