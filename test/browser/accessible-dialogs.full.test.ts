import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listFiles, ROOT } from '../support/source-files.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { visitDashboard } from './dashboard-harness.ts'
import type { Opening } from './openings.ts'
import { openingsOfOrganization } from './openings-of-organization.ts'
import { openingsOfPeople } from './openings-of-people.ts'
import { openingsOfWebhooks } from './openings-of-webhooks.ts'
import { GRACE, livePastMonth } from './past-month.ts'
import { admit, arrive, inTabs, shown } from './places.ts'
import { findingsOf } from './visitors.ts'

/** The overlays of a page. Another test checks the page itself, which takes most of the time. */
const OVERLAY = '[role="dialog"], [role="menu"], [role="listbox"]'

let openings: readonly Opening[]

const harness = visitDashboard(async (harness) => {
  const month = harness.use(await livePastMonth({ slots: 600, syncs: 2 }))
  const publisher = harness.use(await CarelessPublisher.open())
  openings = [...openingsOfOrganization(month), ...openingsOfWebhooks(month), ...openingsOfPeople(publisher)]
  return month.service
})

test('opens every component that has a menu, dialog or drawer', () => {
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

test('axe finds no violations on any open menu, dialog or drawer', async () => {
  const people = await admit(harness.visitors)
  // Creates a second session, which can be ended.
  await admit(harness.visitors, [GRACE])
  const found = await inTabs(people, openings, async (page, { of, path, open }, schemes) => {
    const found: string[] = []
    // The opening before may have changed both.
    await page.unrouteAll()
    await page.setViewportSize({ width: 1280, height: 900 })
    await arrive(page, { path, heading: /./ })
    await open(page, async (what) => {
      await shown(page)
      const within = (await page.locator(OVERLAY).count()) > 0 ? OVERLAY : undefined
      found.push(...(await findingsOf(page, `${of[0]}: ${what}`, { schemes, within })))
    }).catch((error) => found.push(`${of[0]}: ${error}`))
    return found
  })
  assert.equal(found.join('\n'), '')
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
