import type { Page } from 'playwright-core'
import { codeOf, plugInAuthenticator } from './authenticators.ts'
import type { CarelessPublisher } from './careless-publisher.ts'
import { confirmation, type Opening } from './openings.ts'
import { openingsOfAccounts } from './openings-of-accounts.ts'
import { openingsOfSources } from './openings-of-sources.ts'
import { ADA, GRACE, KATHERINE } from './past-month.ts'

/** The overlays on pages without an organization: account, Explore, operator. */
export function openingsOfPeople(publisher: CarelessPublisher): Opening[] {
  return [...account(), ...explore(), ...openingsOfSources(publisher), ...openingsOfAccounts()]
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
        await page.getByLabel('Passkey name').fill('Key ring')
        await page.getByRole('button', { name: 'Add passkey' }).click()
        await page.getByRole('button', { name: 'Rename Key ring' }).click()
        await look('rename')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Remove Key ring' }).click()
        await look('remove')
      },
    },
    {
      of: ['pages/account/TwoFactorDialogs.tsx'],
      as: KATHERINE,
      path,
      open: walkThroughTwoFactor,
    },
    confirmation('pages/account/SessionSection.tsx', GRACE, {
      path,
      button: 'Sign out of all other sessions',
    }),
    {
      of: ['layout/ConfirmationDialog.tsx'],
      as: GRACE,
      path,
      async open(page, look) {
        const body = { status: 403, code: 'confirmation-required', detail: '' }
        await page.route('**/api/auth/change-email', (route) => route.fulfill({ status: 403, json: body }))
        await page.getByLabel('New email').fill('grace@example.com')
        await page.getByRole('button', { name: 'Change', exact: true }).click()
        await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).waitFor()
        await look('password')
      },
    },
    confirmation('pages/account/AccountPage.tsx', GRACE, { path, button: 'Delete your account' }),
  ]
}

async function walkThroughTwoFactor(page: Page, look: (what: string) => Promise<void>): Promise<void> {
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
  await dialog.getByRole('checkbox', { name: "I've saved them" }).check()
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
        await page.getByRole('link', { name: 'Book with the publisher' }).waitFor()
        await look('slot')
      },
    },
    {
      of: ['pages/explore/NearField.tsx'],
      as: ADA,
      path: '/app/explore',
      async open(page, look) {
        const near = page.getByRole('combobox', { name: 'Near' })
        await near.fill('02139')
        await page.getByRole('option', { name: 'ZIP 02139' }).waitFor()
        await look('places')
        await near.press('Escape')
        await page.getByRole('button', { name: 'Use my location' }).click()
        await page.getByRole('button', { name: 'Share my location' }).waitFor()
        await look('consent')
      },
    },
    {
      of: ['components/Timestamp.tsx'],
      as: ADA,
      path: '/app/account',
      async open(page, look) {
        await page.locator('time').first().hover()
        await page.getByRole('tooltip').first().waitFor()
        await look('UTC')
      },
    },
    {
      of: ['pages/explore/SlotTime.tsx'],
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
