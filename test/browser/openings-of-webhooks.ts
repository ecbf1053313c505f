import type { Opening } from './openings.ts'
import { ADA, type PastMonth } from './past-month.ts'

const HOOKS = 'pages/webhooks'

/** The overlays of subscriptions. */
export function openingsOfWebhooks(month: PastMonth): Opening[] {
  const path = `/app/o/${month.organizationId}/webhooks`
  return [creation(path), ...changes(`${path}/${month.subscriptionId}`)]
}

function creation(path: string): Opening {
  return {
    of: [`${HOOKS}/SubscriptionForm.tsx`, 'pages/keys/OneTimeSecret.tsx'],
    as: ADA,
    path,
    async open(page, look) {
      await page.getByRole('button', { name: 'Create subscription' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create a subscription' })
      await dialog.getByRole('textbox', { name: 'URL' }).fill('http://receiver.example/')
      await look('create')
      await dialog.getByRole('button', { name: 'Create subscription' }).click()
      await dialog.getByText('must be an https URL').waitFor()
      await look('create, refused')
      await dialog.getByRole('textbox', { name: 'URL' }).fill('https://receiver.example/')
      await dialog.getByRole('button', { name: 'Create subscription' }).click()
      await page.getByRole('textbox', { name: 'Secret' }).waitFor()
      await look('secret')
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Done' }).click()
    },
  }
}

function changes(path: string): Opening[] {
  return [
    {
      of: [`${HOOKS}/SubscriptionMenu.tsx`],
      as: ADA,
      path,
      async open(page, look) {
        await page.getByRole('button', { name: 'Actions for hooks.northgate.example' }).click()
        await look('menu')
        await page.getByRole('menuitem', { name: 'Edit…' }).click()
        await page.getByRole('dialog', { name: 'Edit subscription' }).waitFor()
        await look('edit')
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Actions for hooks.northgate.example' }).click()
        await page.getByRole('menuitem', { name: 'Rotate secret…' }).click()
        await look('rotate')
      },
    },
    {
      of: [`${HOOKS}/SubscriptionConfirmations.tsx`],
      as: ADA,
      path,
      async open(page, look) {
        await page.getByRole('button', { name: 'Actions for hooks.northgate.example' }).click()
        await page.getByRole('menuitem', { name: 'Delete…' }).click()
        await page.getByRole('dialog', { name: 'Delete this subscription?' }).waitFor()
        await look('delete')
      },
    },
    {
      of: [`${HOOKS}/DeliveryDrawer.tsx`],
      as: ADA,
      path,
      async open(page, look) {
        await page.getByRole('button', { name: 'Slots opened (15)' }).click()
        await page.getByRole('dialog').getByText('Request body').first().waitFor()
        await look('a delivery that failed')
      },
    },
    {
      of: [`${HOOKS}/NotifyMeDialog.tsx`],
      as: ADA,
      path: '/app/explore?state=MA&isVirtual=true',
      async open(page, look) {
        await page.getByRole('button', { name: 'Notify me' }).click()
        await page.getByRole('dialog', { name: 'Notify me when slots open' }).waitFor()
        await look('notify me')
      },
    },
  ]
}
