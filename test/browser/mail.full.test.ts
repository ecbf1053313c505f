import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { serveDashboard } from './dashboard-harness.ts'
import { call, createOrganization, enter, fillSignUp, isSignedIn, personOf, signIn, signUp } from './people.ts'
import { PostOffice } from './post-office.ts'

const ADA = personOf('Ada Lovelace')
const GRACE = personOf('Grace Hopper')
const EVE = personOf('Eve')

let office: PostOffice

const harness = serveDashboard({
  prepare: async (harness, service) => {
    office = harness.use(await PostOffice.open())
    service.env.SMTP_URL = office.smtpUrl
  },
})

test('requires a verified email address to sign in', async () => {
  const page = await harness.newcomer()
  await signUp(page, ADA)
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  assert.equal(await isSignedIn(page), false)
  await signIn(page, ADA)
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await office.linkTo(ADA.email, 'Verify your email address'))
  await page.getByRole('heading', { name: 'Welcome, Ada Lovelace' }).waitFor()
  await createOrganization(page, 'Analytical Health')
})

test('resets a forgotten password by email and ends every session', async () => {
  const before = await harness.newcomer()
  await enter(before, ADA)

  const page = await harness.newcomer()
  await page.goto('/app/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('Email').fill(ADA.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await office.linkTo(ADA.email, 'Reset your password'))
  await page.getByRole('textbox', { name: 'New password' }).fill('another passphrase')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()

  assert.equal(await isSignedIn(before), false)
  await before.reload()
  await before.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, ADA)
  await page.getByRole('alert').getByText('Incorrect email or password').waitFor()
  await enter(page, { ...ADA, password: 'another passphrase' })
})

test('shows the same message for an unknown address and sends no email', async () => {
  const page = await harness.newcomer()
  const mailsBefore = office.countTo(ADA.email)
  const messages: string[] = []
  for (const email of ['nobody@example.org', ADA.email]) {
    await page.goto('/app/forgot-password')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    messages.push((await page.getByRole('main').innerText()).replace(email, 'the address'))
  }
  assert.equal(messages[0], messages[1])
  // The later email has arrived, so the earlier one would have arrived too.
  await eventually(async () => office.countTo(ADA.email) > mailsBefore)
  assert.equal(office.countTo('nobody@example.org'), 0)
})

test('an invitation by email admits only the owner of that address', async () => {
  const owner = await harness.newcomer()
  await signIn(owner, { ...ADA, password: 'another passphrase' })
  await owner.getByRole('link', { name: 'Members' }).click()
  await owner.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('Email').fill(GRACE.email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText(`We sent it to ${GRACE.email}`).waitFor()

  const link = await office.linkTo(GRACE.email, 'Join Analytical Health at Scheduling Slots')
  const other = await harness.newcomer()
  await signUp(other, EVE)
  await other.goto(await office.linkTo(EVE.email, 'Verify your email address'))
  await other.getByRole('heading', { name: 'Welcome, Eve' }).waitFor()
  await other.goto(link)
  await other.getByText(`The invitation is for ${GRACE.email}`).waitFor()
  const accepting = await call(other, 'POST', '/api/invitations/accept', { token: link.split('#')[1] })
  assert.equal(accepting.status, 403)

  const invited = await harness.newcomer()
  await invited.goto(link)
  await invited.getByRole('heading', { name: 'Join Analytical Health' }).waitFor()
  await invited.getByRole('link', { name: 'Create an account' }).click()
  assert.equal(await invited.getByLabel('Email').inputValue(), GRACE.email)
  await fillSignUp(invited, GRACE)
  await invited.getByRole('heading', { name: 'Check your email' }).waitFor()
  // After verification by mail, the invitation continues.
  await invited.goto(await office.linkTo(GRACE.email, 'Verify your email address'))
  await invited.getByRole('button', { name: 'Join Analytical Health' }).click()
  await invited.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()

  await dialog.getByRole('button', { name: 'Done' }).click()
  await owner.reload()
  await owner.getByRole('table', { name: 'Members' }).getByText(GRACE.email).waitFor()
})
