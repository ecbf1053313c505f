import type { Page } from 'playwright-core'
import type { Opening } from './openings.ts'
import { ADA, EMMY, GRACE } from './past-month.ts'

/** The overlays on the operator's pages about organizations, accounts and operators. */
export function openingsOfAccounts(): Opening[] {
  return [
    {
      of: [
        'pages/operator/OrganizationActions.tsx',
        'pages/operator/SuspendDialog.tsx',
        'pages/operator/MakeOwner.tsx',
      ],
      as: ADA,
      path: '/app/operator/organizations',
      async open(page, look) {
        await page.getByRole('link', { name: 'Northgate Health', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Northgate Health' }).waitFor()
        await openEach(page, ['Suspend', 'Delete', `Make owner: ${GRACE.name}`], look)
      },
    },
    {
      of: ['pages/operator/AccountActions.tsx', 'pages/operator/SuspendDialog.tsx'],
      as: ADA,
      path: '/app/operator/accounts',
      async open(page, look) {
        await page.getByRole('link', { name: EMMY.name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name: EMMY.name }).waitFor()
        await openEach(page, ['Reset link', 'End sessions', 'Suspend', 'Delete'], look)
      },
    },
    {
      of: ['pages/operator/ResetLinkModal.tsx'],
      as: ADA,
      path: '/app/operator/accounts',
      async open(page, look) {
        await page.getByRole('button', { name: 'Reset link for emmy@elsewhere.example' }).click()
        await look('question')
        await page.getByRole('button', { name: 'Create link' }).click()
        await page.getByRole('textbox', { name: 'Reset link' }).waitFor()
        await look('link')
      },
    },
    {
      of: ['pages/operator/EndSessionsDialog.tsx'],
      as: ADA,
      path: '/app/operator/accounts',
      async open(page, look) {
        await page.getByRole('button', { name: 'End sessions of emmy@elsewhere.example' }).click()
        await look('question')
      },
    },
    {
      of: ['pages/operator/AddOperatorDialog.tsx'],
      as: ADA,
      path: '/app/operator/operators',
      async open(page, look) {
        await page.getByRole('button', { name: 'Add' }).click()
        await look('form')
      },
    },
    {
      of: ['pages/operator/OperatorActions.tsx'],
      as: ADA,
      path: '/app/operator/operators',
      async open(page, look) {
        await page.getByRole('button', { name: `Actions for ${GRACE.name}` }).click()
        await look('menu')
        await page.getByRole('menuitem', { name: 'Remove' }).click()
        await look('question')
      },
    },
  ]
}

/** Looks at the question behind each button and cancels it. */
async function openEach(page: Page, buttons: readonly string[], look: (what: string) => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const name of buttons) {
    await page.getByRole('button', { name, exact: true }).click()
    await dialog.waitFor()
    await look(name)
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
}
