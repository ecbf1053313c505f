import type { Opening } from './openings.ts'
import { ADA, GRACE } from './past-month.ts'

/** The overlays on the operator's pages about accounts and operators. */
export function openingsOfAccounts(): Opening[] {
  return [
    {
      of: ['pages/operator/ResetLinkDialog.tsx'],
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
      of: ['pages/operator/AccountsPage.tsx'],
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
