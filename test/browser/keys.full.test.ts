import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, personOf, signUp } from './people.ts'
import { acknowledge } from './secret-dialog.ts'

const ADA = personOf('Ada Lovelace')

interface Key {
  readonly id: string
  readonly secret: string
}

/** A service and a signed-in owner on the keys page of an organization. */
let page: Page
let org: string

const harness = serveDashboard({
  begin: async (harness) => {
    page = await harness.newcomer()
    await signUp(page, ADA)
    org = await createOrganization(page, 'Analytical Health')
  },
})

beforeEach(() => page.goto(`/app/o/${org}/keys`))

test('a rotated key works for the chosen hour, alongside the new key', async () => {
  const old = await newKey('hourly')
  await actOn('hourly', 'Rotate…')
  const secret = await rotate('1 hour')
  assert.notEqual(secret, old.secret)
  assert.deepEqual([await statusWith(old.secret), await statusWith(secret)], [200, 200])
  await acknowledge(page)
  await rowOf(old.secret).getByText('Replaced', { exact: true }).waitFor()
  await rowOf(old.secret).getByText('Replaced by the key above').waitFor()
  await rowOf(old.secret)
    .getByText(/^in (?:60|59) minutes$/)
    .waitFor()
  await rowOf(secret).getByText('Active').waitFor()
})

test('rejects a key rotated without a grace period immediately, and accepts the new key', async () => {
  const old = await newKey('leaked')
  assert.equal(await statusWith(old.secret), 200)
  await actOn('leaked', 'Rotate…')
  const secret = await rotate('Revoke now')
  assert.deepEqual([await statusWith(old.secret), await statusWith(secret)], [401, 200])
  await acknowledge(page)
  await rowOf(secret).waitFor()
  assert.equal(await rowOf(old.secret).count(), 0)
})

test('rejects a revoked key immediately, hides it, and shows it with its reason on request', async () => {
  const { secret } = await newKey('obsolete')
  assert.equal(await statusWith(secret), 200)
  await actOn('obsolete', 'Revoke…')
  const dialog = page.getByRole('dialog', { name: 'Revoke “obsolete”?' })
  await dialog.getByLabel('Reason').fill('Committed to a public repository')
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await statusWith(secret), 401)

  await rowOf(secret).waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'Show revoked and expired' }).check()
  await rowOf(secret).getByText('Revoked', { exact: true }).waitFor()
  await rowOf(secret).getByRole('link', { name: 'obsolete' }).click()
  await page.getByRole('note').getByText('Reason: Committed to a public repository.').waitFor()
  await page.getByRole('table', { name: 'Activity of this key' }).getByRole('row').nth(2).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Rotate' }).count(), 0)
})

test('asks before the dialogs of keys and invitations discard what was entered', async () => {
  const { id } = await newKey('kept')
  await page.getByRole('button', { name: 'Create key' }).click()
  await assertAsks('Create an API key', async (dialog) => {
    await dialog.getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'In 30 days' }).click()
  })
  await actOn('kept', 'Rotate…')
  await assertAsks(/^Rotate/, (dialog) => dialog.getByRole('radio', { name: '1 hour' }).check())
  await actOn('kept', 'Revoke…')
  await assertAsks(/^Revoke/, (dialog) => dialog.getByLabel('Reason').fill('A guess'))
  await actOn('kept', 'Revoke…')
  await page.getByLabel('Reason').and(page.locator(':placeholder-shown')).waitFor()
  await page.goto(`/app/o/${org}/keys/${id}`)
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  await edit.click()
  await assertAsks(/^Edit/, (dialog) => dialog.getByLabel('Note').fill('nightly'))
  await edit.and(page.locator(':focus')).waitFor()
  await page.goto(`/app/o/${org}/members`)
  const invite = page.getByRole('button', { name: 'Invite', exact: true })
  await invite.click()
  await assertAsks(/^Invite to/, (dialog) => dialog.getByLabel('Email').fill('grace@'))
  await invite.and(page.locator(':focus')).waitFor()
})

test('asks before confirmations and the dialogs of two-factor authentication discard what was typed', async () => {
  await page.goto(`/app/o/${org}/settings`)
  const remove = page.getByRole('button', { name: /^Delete / })
  await remove.click()
  await assertAsks(/^Delete/, (dialog) => dialog.getByLabel(/^Type/).fill('Ana'))
  await remove.and(page.locator(':focus')).waitFor()
  await page.goto('/app/account')
  const turnOn = page.getByRole('button', { name: 'Turn on' })
  await turnOn.click()
  await assertAsks(/^Turn on/, (dialog) => dialog.getByLabel('Your password').fill('a part'))
  await turnOn.and(page.locator(':focus')).waitFor()
})

test('the page of a key counts its requests by status, lists the newest and shows who called', async () => {
  const key = await newKey('busy')
  await page.goto(`/app/o/${org}/keys/${key.id}`)
  await page.getByRole('status').getByText('Waiting for your first request…').waitFor()
  const asked = ['state=MA', 'state=ma&limit=1', 'state=Nowhere'].map((search) => `/v1/scheduling/slots?${search}`)
  for (const target of asked) await fetch(harness.service.origin + target, { headers: { 'x-api-key': key.secret } })
  await page.getByRole('status').getByText('Your first request arrived').waitFor()
  await page.reload()
  const latest = page.getByRole('table', { name: 'Latest requests' })
  for (const [n, status] of ['200 OK', '200 OK', '400 Invalid parameter'].entries()) {
    const row = latest.getByRole('row').filter({ has: page.getByText(`GET ${asked[n]}`, { exact: true }) })
    await row.getByText(status).waitFor()
  }
  await page.getByText('Seen from 1 address in 30 days, last 127.0.0.1.').waitFor()
  const legend = page.getByRole('list', { name: 'Legend' }).getByRole('listitem')
  await legend.filter({ hasText: '200 OK' }).getByText('2', { exact: true }).waitFor()
  await legend.filter({ hasText: '400 Invalid parameter' }).getByText('1', { exact: true }).waitFor()
})

test('an edited key shows its name, note and networks, and refuses other addresses immediately', async () => {
  const { id, secret } = await newKey('temporary')
  await actOn('temporary', 'Edit…')
  const dialog = page.getByRole('dialog', { name: 'Edit “temporary”' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('nightly report')
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Runs at 2 AM')
  await dialog.getByRole('textbox', { name: 'Allowed networks (optional)' }).fill('203.0.113.0/24, 2001:DB8::/32')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await statusWith(secret), 403)
  await rowOf(secret).getByText('Runs at 2 AM').waitFor()
  await rowOf(secret).getByRole('link', { name: 'nightly report' }).click()
  await page.getByRole('definition').getByText('2001:db8::/32').waitFor()
  await page.getByRole('table', { name: 'Activity of this key' }).getByText('allowed networks from').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Edit “nightly report”' })
  await again.getByRole('textbox', { name: 'Allowed networks (optional)' }).fill('')
  await again.getByRole('button', { name: 'Save' }).click()
  await again.waitFor({ state: 'hidden' })
  assert.equal(await statusWith(secret), 200)
  await page.goto(`/app/o/${org}/logs?key=${id}`)
  await page.getByRole('table', { name: 'Requests' }).getByText('403 Not allowed').waitFor()
  await page.goto(`/app/o/${org}/logs`)
  await page.getByRole('combobox', { name: 'API key' }).fill('2 AM')
  await page.getByRole('option', { name: 'nightly report' }).click()
  await page.waitForURL(new RegExp(`key=${id}`))
})

test('finds and sorts keys, with search and order in the URL', async () => {
  const used = await newKey('zebra one')
  const unused = await newKey('zebra two')
  assert.equal(await statusWith(used.secret), 200)
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('ZEBRA')
  await page.waitForURL(/q=ZEBRA/)
  await rowOf(unused.secret).waitFor()
  await page.getByRole('row').nth(3).waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Sort keys' }).click()
  await page.getByRole('option', { name: 'Last used first' }).click()
  await page.getByRole('row').nth(1).getByText('zebra one').waitFor()
  await page.waitForURL(/q=ZEBRA&sort=used/)
  await page.getByRole('combobox', { name: 'Sort keys' }).click()
  await page.getByRole('option', { name: 'Unused longest first' }).click()
  await page.getByRole('row').nth(1).getByText('zebra two').waitFor()
  await page.reload()
  await page.getByRole('row').nth(1).getByText('zebra two').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search keys' })
  await search.fill('zebra ')
  await page.waitForURL(/q=zebra(?:&|$)/)
  await search.pressSequentially('two')
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
  assert.equal(await search.inputValue(), 'zebra two')
  await search.fill('nothing like it')
  await page.getByText('Nothing matches “nothing like it”').waitFor()
})

test('an organization whose keys are all revoked keeps the controls of the list in any order', async () => {
  const { body } = await call(page, 'POST', '/api/organizations', { name: 'Retired Health' })
  const { id } = body as { id: string }
  const keys = `/api/organizations/${id}/keys`
  const made = (await call(page, 'POST', keys, { name: 'last' })).body as { key: { id: string } }
  await call(page, 'POST', `${keys}/${made.key.id}/revoke`, {})
  await page.goto(`/app/o/${id}/keys?sort=used`)
  await page.getByRole('heading', { name: 'No active keys' }).waitFor()
  await page.getByRole('switch', { name: 'Show revoked and expired' }).check()
  await page.getByRole('row').getByRole('link', { name: 'last' }).waitFor()
})

test('the audit log shows what was done since the last visit', async () => {
  const visit = await page.context().newPage()
  await visit.clock.setFixedTime(Date.now())
  await visit.goto(`/app/o/${org}/audit`)
  const log = visit.getByRole('table', { name: 'Audit log' })
  await log.waitFor()
  await visit.getByRole('link', { name: 'Members' }).click()
  await visit.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  await call(visit, 'POST', `/api/organizations/${org}/invitations`, { role: 'member', email: 'late@example.org' })
  await visit.getByRole('link', { name: 'Audit log' }).click()
  await log.getByText('late@example.org').waitFor()
  await visit.close()
})

test('tells when the browser refuses to copy', async (t) => {
  await page.context().clearPermissions()
  t.after(() => page.context().grantPermissions(['clipboard-read', 'clipboard-write']))
  await page.goto(`/app/o/${org}/settings`)
  await page.getByRole('button', { name: 'Copy organization id' }).click()
  await page.getByRole('alert').getByText("Couldn't copy. Select the text and copy it yourself.").waitFor()
  assert.equal(await page.getByText('Copied').count(), 0)
})

/** Creates a key through the API and shows it in the list. */
async function newKey(name: string): Promise<Key> {
  const { body } = await call(page, 'POST', `/api/organizations/${org}/keys`, { name })
  await page.reload()
  const { key, secret } = body as { key: { id: string }; secret: string }
  return { id: key.id, secret }
}

async function actOn(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Submits the dialog; resolves with the new secret, which is still shown. */
async function rotate(overlap: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: /^Rotate/ })
  await dialog.getByRole('radio', { name: overlap }).check()
  await dialog.getByRole('button', { name: 'Create new key' }).click()
  return (await page.getByRole('textbox', { name: 'API key' }).textContent()) ?? ''
}

function rowOf(secret: string): Locator {
  return page.getByRole('row').filter({ hasText: `svc_sk_…${secret.slice(-4)}` })
}

/** The response to a request with this key. */
async function statusWith(secret: string): Promise<number> {
  return (await harness.service.slots(secret, 'limit=1')).status
}

/** Escape asks once something was entered; the dialog stays until that is confirmed. */
async function assertAsks(name: string | RegExp, enter: (dialog: Locator) => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  await enter(dialog)
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.locator(':focus').waitFor()
  assert.ok(await dialog.isVisible())
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
