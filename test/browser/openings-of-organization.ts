import type { Page } from 'playwright-core'
import { confirmation, type Opening } from './openings.ts'
import { ADA, GRACE, type PastMonth } from './past-month.ts'

/** The menus of the layout, and the overlays on the pages of an organization. */
export function openingsOfOrganization(month: PastMonth): Opening[] {
  return [...frame(month), ...keys(month), logs(month), ...organization(month)]
}

function frame(month: PastMonth): Opening[] {
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
    menu('ColorSchemeMenu', 'Color scheme'),
    menu('OrganizationMenu', 'Northgate Health'),
  ]
}

function keys(month: PastMonth): Opening[] {
  const path = `/app/o/${month.organizationId}/keys`
  return [
    {
      of: ['pages/keys/KeyFormDialogs.tsx'],
      as: ADA,
      path,
      async open(page, look) {
        await page.getByRole('button', { name: 'Create key' }).click()
        await look('create')
        await page.getByRole('combobox', { name: 'Expires' }).click()
        await look('expiry options')
        await page.getByRole('option', { name: 'On a specific date' }).click()
        await page.getByRole('button', { name: 'Create key' }).last().click()
        await page.getByLabel('Expiration date').waitFor()
        await look('create, refused')
        await page.getByLabel('Expiration date').fill(`${new Date().getFullYear() + 1}-06-30`)
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
      of: ['pages/keys/KeysTable.tsx'],
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
      of: ['pages/keys/EditKeyDialog.tsx'],
      as: ADA,
      path: `${path}/${month.keyId}`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
        await look('edit')
        await page.getByRole('textbox', { name: 'Allowed networks (optional)' }).fill('10.1.2.3/8')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('is not the start of a network').waitFor()
        await look('edit, refused')
      },
    },
    {
      of: ['components/ConfirmDialog.tsx'],
      as: ADA,
      path: `${path}/${month.keyId}`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Revoke' }).click()
        await look('revoke')
      },
    },
  ]
}

function logs(month: PastMonth): Opening {
  const path = `/app/o/${month.organizationId}/logs`
  return {
    of: ['pages/logs/RequestDrawer.tsx'],
    as: ADA,
    path: `${path}?status=4xx`,
    async open(page, look) {
      await page
        .getByRole('link', { name: /state=Nowhere/ })
        .first()
        .click()
      await page.getByRole('dialog').getByText('User agent').waitFor()
      await look('a request that failed')
      await page.goto(`${path}/gone`)
      await page.getByText('This request is not in the log').waitFor()
      await look('a request that is not in the log')
    },
  }
}

function organization(month: PastMonth): Opening[] {
  const path = `/app/o/${month.organizationId}`
  return [
    {
      of: ['pages/organization/InviteDialog.tsx'],
      as: ADA,
      path: `${path}/members`,
      async open(page, look) {
        await page.getByRole('button', { name: 'Invite', exact: true }).click()
        await look('form')
        await page.getByRole('button', { name: 'Create link' }).click()
        await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
        await look('link')
      },
    },
    {
      of: ['pages/organization/MembersPage.tsx', 'components/PersonActions.tsx'],
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
        await page.getByRole('button', { name: 'Revoke invitation for mary@northgate.example' }).click()
        await look('revoke')
      },
    },
    {
      of: ['pages/organization/TransferOwnership.tsx'],
      as: ADA,
      path: `${path}/settings`,
      async open(page, look) {
        await page.getByRole('combobox', { name: 'New owner' }).click()
        await look('members')
        await page.getByRole('option', { name: /Grace/ }).click()
        await page.getByRole('button', { name: 'Transfer' }).click()
        await look('transfer')
      },
    },
    {
      of: ['pages/organization/SecondFactorPolicy.tsx'],
      as: ADA,
      path: `${path}/settings`,
      open: requireSecondFactor,
    },
    confirmation('pages/organization/DangerZone.tsx', ADA, {
      path: `${path}/settings`,
      button: 'Delete Northgate Health',
    }),
    confirmation('pages/organization/DangerZone.tsx', GRACE, {
      path: `${path}/settings`,
      button: 'Leave Northgate Health',
    }),
  ]
}

/** As an owner with two-factor authentication. */
async function requireSecondFactor(page: Page, look: (what: string) => Promise<void>): Promise<void> {
  await page.route('**/api/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), twoFactor: true } })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Require it' }).click()
  await page
    .getByRole('dialog')
    .getByText(/locked out until then|have it already/)
    .waitFor()
  await look('question')
}
