import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { listFiles, ROOT } from '../source-files.ts'
import { codeOf, plugInAuthenticator } from './authenticators.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { ADA, GRACE, KATHERINE, livePastMonth, type PastMonth } from './past-month.ts'
import type { Person } from './people.ts'
import { admit, arrive, inTabs, shown } from './places.ts'
import { findingsOf, Visitors } from './visitors.ts'

/** What opens over a page, and how one gets there. */
interface Opening {
  /** Below dashboard/src: where what is looked at is written. */
  readonly of: readonly string[]
  readonly as: Person
  readonly path: string
  /** `look` once each time that something else is open. */
  readonly open: (page: Page, look: (what: string) => Promise<void>) => Promise<void>
}

let month: PastMonth
let publisher: CarelessPublisher
let visitors: Visitors
let openings: readonly Opening[]

before(async () => {
  month = await livePastMonth({ slots: 600, syncs: 2 })
  publisher = await CarelessPublisher.open()
  visitors = await Visitors.to(month.service.home)
  openings = [...frame(), ...keys(), ...organization(), ...account(), ...explore(), ...operator()]
})

after(async () => {
  await visitors?.[Symbol.asyncDispose]()
  await publisher?.[Symbol.asyncDispose]()
  await month?.[Symbol.asyncDispose]()
})

test('whatever has a menu, dialog or drawer is among what is opened', () => {
  const opened = new Set(openings.flatMap(({ of }) => of))
  const files = listFiles('dashboard/src', '.tsx')
    .filter((path) => /<(Menu|Modal|Drawer|ConfirmDialog|Popover|HoverCard)\b/.test(read(path)))
    .map((path) => path.replace('dashboard/src/', ''))
  assert.ok(files.length > 15)
  assert.deepEqual(
    files.filter((file) => !opened.has(file)),
    [],
  )
})

test('axe finds nothing on any open menu, dialog or drawer, in the light and in the dark', async () => {
  const people = await admit(visitors)
  // She has a second session, which she could end.
  await admit(visitors, [GRACE])
  const found = await inTabs(people, openings, async (page, { of, path, open }) => {
    const found: string[] = []
    await arrive(page, { path, heading: /./ })
    await open(page, async (what) => {
      await shown(page)
      found.push(...(await findingsOf(page, `${of[0]}: ${what}`)))
    }).catch((fault) => found.push(`${of[0]}: ${fault}`))
    return found
  })
  assert.equal(found.join('\n'), '')
  visitors.assertNoComplaints()
})

function frame(): Opening[] {
  const path = `/app/o/${month.organizationId}/limits`
  const menu = (of: string, name: string): Opening => ({
    of: [`layout/${of}.tsx`],
    as: ADA,
    path,
    async open(page, look) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('menu').waitFor()
      await look('menu')
    },
  })
  return [
    menu('AccountMenu', 'Your account'),
    menu('ColourSchemeMenu', 'Colour scheme'),
    menu('OrganizationMenu', 'Northgate Health'),
  ]
}

function keys(): Opening[] {
  const path = `/app/o/${month.organizationId}/keys`
  return [
    {
      of: ['pages/keys/CreateKeyDialog.tsx', 'pages/keys/SecretDialog.tsx'],
      as: ADA,
      path,
      async open(page, look) {
        await page.getByRole('button', { name: 'Create key' }).click()
        await look('create')
        await page.getByRole('combobox', { name: 'Expires' }).click()
        await look('choice of the end')
        await page.getByRole('option', { name: 'After a day of my choice' }).click()
        await page.getByRole('button', { name: 'Create key' }).last().click()
        await page.getByLabel('Last day').waitFor()
        await look('create, refused')
        await page.getByLabel('Last day').fill(`${new Date().getFullYear() + 1}-06-30`)
        await page.getByRole('textbox', { name: 'Name' }).fill('one more')
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
        await page.getByText('Waiting for your first request').waitFor()
        await look('secret')
        await page.getByRole('button', { name: 'Done' }).click()
        await look('secret, reminded')
        await page.getByRole('checkbox').check()
        await page.getByRole('button', { name: 'Done' }).click()
      },
    },
    {
      of: ['pages/keys/KeysTable.tsx', 'pages/keys/RotateKeyDialog.tsx'],
      as: ADA,
      path,
      async open(page, look) {
        await page.getByRole('switch').click()
        await page.getByRole('button', { name: 'Actions for production web' }).click()
        await look('menu')
        await page.getByRole('menuitem', { name: 'Rotate…' }).click()
        await look('rotate')
      },
    },
    {
      of: ['pages/keys/RevokeKeyDialog.tsx', 'parts/ConfirmDialog.tsx'],
      as: ADA,
      path: `${path}/${month.keyId}`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Revoke' }).click()
        await look('revoke')
      },
    },
  ]
}

function organization(): Opening[] {
  const path = `/app/o/${month.organizationId}`
  return [
    {
      of: ['pages/organization/InviteDialog.tsx'],
      as: ADA,
      path: `${path}/members`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Invite', exact: true }).click()
        await look('form')
        await page.getByRole('button', { name: 'Make a link' }).click()
        await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
        await look('link')
      },
    },
    {
      of: ['pages/organization/MembersTable.tsx'],
      as: GRACE,
      path: `${path}/members`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Actions for Katherine Johnson' }).click()
        await look('menu')
        await page.getByRole('menuitem', { name: 'Remove' }).click()
        await look('remove')
      },
    },
    {
      of: ['pages/organization/Invitations.tsx'],
      as: GRACE,
      path: `${path}/members`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Revoke the invitation of mary@northgate.example' }).click()
        await look('revoke')
      },
    },
    {
      of: ['pages/organization/TransferOrganization.tsx'],
      as: ADA,
      path: `${path}/settings`,
      async open(page, look) {
        await page.getByRole('combobox', { name: 'New owner' }).click()
        await look('members')
        await page.getByRole('option', { name: /Grace/ }).click()
        await page.getByRole('button', { name: 'Hand over' }).click()
        await look('transfer')
      },
    },
    confirmation('pages/organization/DeleteOrganization.tsx', ADA, {
      path: `${path}/settings`,
      button: 'Delete Northgate Health',
    }),
    confirmation('pages/organization/LeaveOrganization.tsx', GRACE, {
      path: `${path}/settings`,
      button: 'Leave Northgate Health',
    }),
  ]
}

function account(): Opening[] {
  const path = '/app/account'
  return [
    {
      of: ['pages/account/PasskeySection.tsx'],
      as: GRACE,
      path,
      async open(page, look) {
        await plugInAuthenticator(page)
        await page.getByLabel('Name of the new passkey').fill('Key ring')
        await page.getByRole('button', { name: 'Add a passkey' }).click()
        await page.getByRole('button', { name: 'Rename Key ring' }).click()
        await look('rename')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Remove Key ring' }).click()
        await look('remove')
      },
    },
    {
      of: ['pages/account/SecondFactorDialogs.tsx'],
      as: KATHERINE,
      path,
      open: walkThroughSecondFactor,
    },
    confirmation('pages/account/SessionSection.tsx', GRACE, { path, button: 'Sign out everywhere else' }),
    confirmation('pages/account/DeleteSection.tsx', GRACE, { path, button: 'Delete your account' }),
  ]
}

async function walkThroughSecondFactor(page: Page, look: (what: string) => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog')
  const sayPassword = async (button: string) => {
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(KATHERINE.password)
    await dialog.getByRole('button', { name: button }).click()
  }
  await page.getByRole('button', { name: 'Turn on' }).click()
  await look('password')
  await sayPassword('Continue')
  const secret = await dialog.getByRole('textbox', { name: 'Key', exact: true }).textContent()
  await look('code to scan')
  await dialog.getByLabel('Code from the app').fill(codeOf(secret ?? '', Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('list', { name: 'Backup codes' }).waitFor()
  await look('backup codes')
  await dialog.getByRole('checkbox', { name: 'I have kept them' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'New backup codes' }).click()
  await look('new backup codes')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await look('turn off')
}

function explore(): Opening[] {
  return [
    {
      of: ['pages/explore/SlotDrawer.tsx'],
      as: ADA,
      path: '/app/explore',
      async open(page, look) {
        await page.getByRole('button', { name: 'More filters' }).click()
        await page.getByRole('combobox', { name: 'State' }).fill('New')
        await look('states')
        await page.keyboard.press('Escape')
        await page.getByRole('table', { name: 'Slots' }).getByRole('button').first().click()
        await page.getByRole('link', { name: 'Book at the publisher' }).waitFor()
        await look('slot')
      },
    },
    {
      of: ['parts/When.tsx'],
      as: ADA,
      path: '/app/explore',
      async open(page, look) {
        await page.getByRole('table', { name: 'Slots' }).getByRole('button').first().focus()
        await page.locator('time').first().hover()
        await page.getByRole('tooltip').first().waitFor()
        await look("the source's time")
      },
    },
  ]
}

function operator(): Opening[] {
  return [
    {
      of: ['pages/operator/AddSourceDialog.tsx'],
      as: ADA,
      path: '/app/operator/sources',
      async open(page, look) {
        await page.getByRole('button', { name: 'Add a source' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Check' }).click()
        await look('refused')
        await dialog.getByLabel('Address of the manifest').fill(`${publisher.url}/nothing`)
        await dialog.getByLabel('Slug').fill('harbour')
        await dialog.getByRole('button', { name: 'Check' }).click()
        await dialog.getByText('The manifest cannot be read').waitFor()
        await look('not readable')
        await dialog.getByLabel('Address of the manifest').fill(publisher.url)
        await dialog.getByRole('button', { name: 'Check' }).click()
        await dialog.getByText('The manifest can be read').waitFor()
        await look('readable')
      },
    },
    {
      of: ['pages/operator/SourcesTable.tsx', 'pages/operator/RemoveSourceDialog.tsx'],
      as: ADA,
      path: '/app/operator/sources',
      async open(page, look) {
        await page.getByRole('button', { name: 'What to do with old-mill' }).click()
        await look('menu')
        await page.getByRole('menuitem', { name: 'Remove…' }).click()
        await look('remove')
      },
    },
    {
      of: ['pages/operator/ResetLinkDialog.tsx'],
      as: ADA,
      path: '/app/operator/accounts',
      async open(page, look) {
        await page.getByRole('button', { name: 'Reset link for emmy@elsewhere.example' }).click()
        await look('question')
        await page.getByRole('button', { name: 'Make the link' }).click()
        await page.getByRole('textbox', { name: 'Reset link' }).waitFor()
        await look('link')
      },
    },
  ]
}

function confirmation(of: string, as: Person, { path, button }: { path: string; button: string }): Opening {
  return {
    of: [of],
    as,
    path,
    async open(page, look) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor()
      await look('question')
    },
  }
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
