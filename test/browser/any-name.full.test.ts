import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visitDashboard } from './dashboard-harness.ts'
import { ADA, livePastMonth, type PastMonth } from './past-month.ts'
import { admit, arrive, inTabs, type Place, placesOf, shown } from './places.ts'
import { brokenCharacters, cutOff, layoutShift, mixedDirections } from './reach.ts'
import { isWide } from './visitors.ts'

const WIDTHS = [1440, 390]

/** Of organizations, people, keys, notes, sources, subscriptions, places and services. */
const FORMS: Readonly<Record<string, (plain: string) => string>> = {
  'from right to left': (plain) =>
    plain.length % 2 === 0 ? `مستشفى النور ${plain} (فرع الرياض)` : `קופת חולים ${plain} - סניף 12!`,
  'of emoji and 200 characters': (plain) =>
    `👩🏽‍💻👨‍👩‍👧‍👦🏳️‍🌈 ${plain} ${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(4)}`.slice(0, 200),
}

for (const [form, nameOf] of Object.entries(FORMS)) {
  describe(`names ${form}`, () => {
    let month: PastMonth

    const harness = visitDashboard(async (harness) => {
      month = harness.use(await livePastMonth({ slots: 300, syncs: 2, nameOf }))
      return month.service
    })

    test('fit every page, stay whole, and do not reorder the text around them', async () => {
      const people = await admit(harness.visitors)
      const found = await inTabs(people, [...placesOf(month), ...NAMED_SLOTS], async (page, place) => {
        await page.setViewportSize({ width: WIDTHS[0], height: 900 })
        await arrive(page, place)
        return [...(await layoutShift(page, place.name)), ...(await findingsAtWidths(page, place.name))]
      })
      assert.equal([...new Set(found)].join('\n'), '')
    })
  })
}

/** The slots whose place, city and service have such a name. */
const NAMED_SLOTS: readonly Place[] = ['', '&view=days', '&view=map'].map((more) => ({
  name: `explore-named${more}`,
  route: '/app/explore',
  path: `/app/explore?publisher=harbour-clinic${more}`,
  heading: 'Explore slots',
  as: ADA,
}))

async function findingsAtWidths(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await shown(page)
    const where = `${name} at ${width} px`
    found.push(...(await isWide(page, where)), ...(await cutOff(page, where)))
    found.push(...(await mixedDirections(page, where)), ...(await brokenCharacters(page, where)))
  }
  return found
}
