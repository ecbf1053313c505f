import type { CarelessPublisher } from './careless-publisher.ts'
import type { Opening } from './openings.ts'
import { ADA } from './past-month.ts'

/** The overlays on the pages of sources, imports and checks. */
export function openingsOfSources(publisher: CarelessPublisher): Opening[] {
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
        await dialog.getByLabel('Manifest URL').fill(`${publisher.url}/nothing`)
        await dialog.getByLabel('Slug').fill('harbour')
        await dialog.getByRole('button', { name: 'Check' }).click()
        await dialog.getByText("This manifest can't be read").waitFor()
        await look('not readable')
        await dialog.getByLabel('Manifest URL').fill(publisher.url)
        await dialog.getByRole('button', { name: 'Check' }).click()
        await dialog.getByText('This manifest is readable').waitFor()
        await look('readable')
        await dialog.getByRole('button', { name: 'Headers and query parameters' }).click()
        await dialog.getByLabel('Headers').fill('X-Api-Key: as it is')
        await dialog.getByRole('button', { name: 'Add source' }).click()
        await dialog.getByText('secrets are never stored').waitFor()
        await look('a secret in a header')
        await dialog.getByLabel('Format').selectOption('fhir-search')
        await dialog.getByLabel('Authorization').selectOption('backend-services')
        await look('a server')
        await page.setViewportSize({ width: 390, height: 844 })
        await look('a server on a phone')
      },
    },
    editing(),
    ...fresh(),
    importing(),
    checking(publisher),
    {
      of: ['pages/operator/SourceList.tsx', 'pages/operator/RemoveSourceDialog.tsx'],
      as: ADA,
      path: '/app/operator/sources',
      async open(page, look) {
        await page.getByRole('button', { name: 'Actions for old-mill' }).click()
        await look('menu')
        await page.getByRole('menuitem', { name: 'Remove…' }).click()
        await look('remove')
      },
    },
    {
      of: ['pages/operator/RemoveSourcesDialog.tsx', 'pages/operator/BatchFailuresDialog.tsx'],
      as: ADA,
      path: '/app/operator/sources?search=old-mill',
      async open(page, look) {
        await page.getByRole('checkbox', { name: 'Select old-mill' }).click()
        await page.getByRole('button', { name: 'Sync now' }).click()
        await page.getByRole('dialog', { name: 'Sync now: 1 source failed' }).waitFor()
        await look('failures')
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Remove…' }).click()
        await page.getByText('This immediately removes 1 source').waitFor()
        await look('remove many')
        await page.setViewportSize({ width: 390, height: 844 })
        await look('remove many on a phone')
      },
    },
  ]
}

function editing(): Opening {
  return {
    of: ['pages/operator/EditSourceDialog.tsx', 'components/FormModal.tsx'],
    as: ADA,
    path: '/app/operator/sources/harbour-clinic',
    async open(page, look) {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit source' })
      const save = dialog.getByRole('button', { name: 'Save changes' })
      await dialog.getByLabel('Headers').waitFor()
      await look('as it is')
      await dialog.getByLabel('Manifest URL').fill('nowhere')
      await save.click()
      await look('refused')
      await dialog.getByLabel('Manifest URL').fill('https://harbour.example/')
      await dialog.getByLabel('Headers').fill('X-Api-Key: as it is')
      await save.click()
      await dialog.getByText('secrets are never stored').waitFor()
      await look('a secret in a header')
      await page.setViewportSize({ width: 390, height: 844 })
      await look('on a phone')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Discard changes?' }).locator(':focus').waitFor()
      await look('question')
    },
  }
}

function fresh(): Opening[] {
  return [
    {
      of: ['pages/operator/AnomalyNotice.tsx'],
      as: ADA,
      path: '/app/operator/sources/lakeside-clinic',
      async open(page, look) {
        await page.getByRole('button', { name: 'Approve snapshot' }).click()
        await page.getByRole('dialog').waitFor()
        await look('question')
      },
    },
    {
      of: ['pages/operator/OpenSlots.tsx'],
      as: ADA,
      path: '/app/operator/sources/northeast-pharmacies',
      async open(page, look) {
        const part = page.getByRole('region', { name: 'Open slots', exact: true })
        await part.getByRole('switch', { name: 'Show as table' }).press('Space')
        await part.getByRole('columnheader', { name: 'VT' }).waitFor()
        await part.getByLabel('State', { exact: true }).selectOption('NY')
        await part.getByRole('columnheader', { name: 'VT' }).waitFor({ state: 'detached' })
        await look('table')
        await part.getByText('400 days').click()
        await part.getByRole('columnheader', { name: 'Day (UTC)' }).waitFor()
        await look('table by the day')
        await page.setViewportSize({ width: 390, height: 844 })
        await look('table on a phone')
      },
    },
  ]
}

function importing(): Opening {
  return {
    of: ['pages/operator/ImportPage.tsx'],
    as: ADA,
    path: '/app/operator/import?slug=walk-in',
    async open(page, look) {
      const choose = (text: string) =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'slots.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      const check = () => page.getByRole('button', { name: 'Check file' }).click()
      await check()
      await look('no file')
      await page.getByRole('combobox', { name: 'Time zone' }).fill('America/New')
      await look('zones')
      await page.keyboard.press('Escape')
      await page.getByRole('combobox', { name: 'Time zone' }).fill('')
      await choose('<html>')
      await check()
      await page.getByText("This file can't be read").waitFor()
      await look('not readable')
      const times = ['2032-03-04T09:30:00-05:00', '2032-03-04T10:00:00-05:00']
      await choose(`id;start;end;city;colour\n1;${times.join(';')};Boston;red\n2;03/04/2032;;Lynn\n`)
      await check()
      await page.getByRole('table', { name: 'Rejected rows' }).waitFor()
      await look('checked')
      await page.getByRole('button', { name: 'Import file' }).click()
      await page.getByText('File imported').waitFor()
      await look('imported')
    },
  }
}

function checking(publisher: CarelessPublisher): Opening {
  return {
    of: ['pages/operator/CheckPage.tsx'],
    as: ADA,
    path: '/app/operator/check',
    async open(page, look) {
      const button = page.getByRole('button', { name: 'Check feed' })
      await button.click()
      await look('refused')
      await page.getByLabel('Manifest URL').fill(`${publisher.url}/nothing`)
      await button.click()
      await page.getByText('This feed needs attention').waitFor()
      await look('not readable')
      await page.getByLabel('Manifest URL').fill(publisher.url)
      await button.click()
      await page.getByRole('heading', { name: 'Warnings' }).waitFor()
      const closed = page.locator('details:not([open]) > summary')
      while ((await closed.count()) > 0) await closed.first().click()
      await look('report')
      await page.setViewportSize({ width: 390, height: 844 })
      await look('report on a phone')
    },
  }
}
