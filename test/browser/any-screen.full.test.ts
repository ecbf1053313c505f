import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { visitDashboard } from './dashboard-harness.ts'
import { livePastMonth, type PastMonth } from './past-month.ts'
import { admit, arrive, follow, inTabs, placesOf, shown } from './places.ts'
import { cutOff, layoutShift, squeezedCells, tabFindings, unmarkedChoices, unreachableScrollers } from './reach.ts'
import { isWide } from './visitors.ts'

/** A phone on its side, 1440 × 900 at 200 %, a small phone, and 1280 × 1024 at 400 % (WCAG 1.4.10). */
const SCREENS = [
  { width: 844, height: 390 },
  { width: 720, height: 450 },
  { width: 360, height: 640 },
  { width: 320, height: 256 },
]

let month: PastMonth

const harness = visitDashboard(async (harness) => {
  month = harness.use(await livePastMonth({ slots: 600, syncs: 3 }))
  return month.service
})

test('no page moves while it loads on a phone', async () => {
  const people = await admit(harness.visitors, undefined, { width: 390 })
  const found = await inTabs(people, placesOf(month), async (page, place) => {
    await arrive(page, place)
    return layoutShift(page, `${place.name} at 390 px`)
  })
  assert.equal(found.join('\n'), '')
})

test('every page fits when it is zoomed, shows choices with forced colors, and does not move while it loads', async () => {
  const people = await admit(harness.visitors)
  const found = await inTabs(people, placesOf(month), async (page, place) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await arrive(page, place)
    const shifted = await layoutShift(page, place.name)
    const unmarked = await unmarkedChoices(page, place.name)
    return [...shifted, ...unmarked, ...(await fitFindings(page, place.name))]
  })
  assert.equal(found.join('\n'), '')
})

test('Tab reaches every control of every page, visibly', async () => {
  const people = await admit(harness.visitors)
  const found = await inTabs(people, placesOf(month), async (page, place) => {
    await follow(page, place)
    return tabFindings(page, place.name)
  })
  assert.equal(found.join('\n'), '')
})

async function fitFindings(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const screen of SCREENS) {
    await page.setViewportSize(screen)
    await shown(page)
    await lengthenTimes(page)
    const where = `${name} at ${screen.width} px`
    found.push(...(await isWide(page, where)), ...(await cutOff(page, where)))
    found.push(...(await unreachableScrollers(page, where)), ...(await squeezedCells(page, where)))
  }
  return found
}

/** Gives times two digits for day and hour, and a zone: the result must not depend on when the test runs. */
async function lengthenTimes(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const time of document.querySelectorAll('main time')) {
      const walker = document.createTreeWalker(time, NodeFilter.SHOW_TEXT)
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        const content = text.nodeValue ?? ''
        text.nodeValue = content.replace(/\b\d(?=[,:])/g, '10').replace(/[AP]M$/, '$& EDT')
      }
    }
  })
}
