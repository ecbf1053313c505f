import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { ROOT } from '../support/source-files.ts'
import { visitDashboard } from './dashboard-harness.ts'
import { ADA, livePastMonth, type PastMonth } from './past-month.ts'
import { enter, signIn } from './people.ts'
import { admit, arrive, follow, inTabs, type Place, placesOf, shown } from './places.ts'
import { findingsOf, isWide, oneHeading } from './visitors.ts'

/** Pages with a different layout on phones, checked again there. */
const ON_PHONES = [
  'keys',
  'key',
  'webhooks',
  'subscription',
  'explore',
  'usage',
  'logs',
  'members',
  'sources',
  'source',
  'source-held',
]

let month: PastMonth
let places: readonly Place[]

const harness = visitDashboard(async (harness) => {
  month = harness.use(await livePastMonth({ slots: 600, syncs: 3 }))
  places = placesOf(month)
  return month.service
})

test('visits every page of the router', () => {
  const walked = new Set(places.map(({ route }) => route))
  const pages = routerPages()
  assert.ok(pages.length > 20)
  assert.deepEqual(
    pages.filter((route) => !walked.has(route)),
    [],
  )
})

test('axe finds no violations on any dashboard page; each has one h1 and fits a phone', async () => {
  const people = await admit(harness.visitors)
  const found = await inTabs(people, places, async (page, place, schemes) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await follow(page, place)
    const wide = [...(await oneHeading(page, place.name)), ...(await findingsOf(page, place.name, { schemes }))]
    await page.setViewportSize({ width: 390, height: 844 })
    await shown(page)
    const name = `${place.name} on a phone`
    const narrow = ON_PHONES.includes(place.name) ? await findingsOf(page, name, { schemes }) : []
    return [...wide, ...(await isWide(page, name)), ...narrow]
  })
  assert.equal(found.join('\n'), '')
})

test('arrow keys and the pointer show the numbers of a chart', async () => {
  const page = await harness.newcomer()
  await enter(page, ADA)
  await arrive(page, { path: '/app/operator/sources/northeast-pharmacies', heading: 'northeast-pharmacies' })
  const chart = page.getByRole('application', { name: /^Open slots: between/ })
  const card = page.locator('section').filter({ has: chart })
  const numbers = card.getByRole('status')
  await chart.focus()
  await page.keyboard.press('End')
  const last = await numbers.innerText()
  // The service counts the current hour some time after it has started.
  assert.match(last, /^\w+ \d+, .+\s+All open slots\s+([\d,]+|no count)\s+[A-Z]{2}\s/)
  await page.keyboard.press('ArrowLeft')
  const shows = (isRight: (text: string) => boolean) => eventually(async () => isRight(await numbers.innerText()))
  await shows((text) => text !== last)
  assert.match(await numbers.innerText(), /All open slots\s+[\d,]+\s+[A-Z]{2}\s+[\d,]+/)
  assert.equal((await findingsOf(page, 'numbers of a chart')).join('\n'), '')
  await page.keyboard.press('Escape')
  await numbers.waitFor({ state: 'hidden' })
  const box = await chart.boundingBox()
  await chart.hover({ position: { x: (box?.width ?? 0) - 10, y: 40 } })
  await shows((text) => text === last)
  await page.mouse.move(0, 0)
  await numbers.waitFor({ state: 'hidden' })
})

test('axe finds no violations on the menu of a phone', async () => {
  const phone = await harness.newcomer({ width: 390 })
  await signIn(phone, ADA)
  await phone.getByRole('button', { name: 'Open menu' }).click()
  await phone.getByRole('link', { name: 'Audit log' }).waitFor()
  assert.equal((await findingsOf(phone, 'menu on a phone')).join('\n'), '')
})

/** The routes with a component: the others only redirect. */
function routerPages(): string[] {
  const text = readFileSync(join(ROOT, 'dashboard/src/router.tsx'), 'utf8')
  const routes = new Map(
    [...text.matchAll(/const (\w+) = createRoute\(\{(.*?)\n\}\)/gs)].map(([, name, body]) => [name, body]),
  )
  const pathOf = (name: string): string => {
    const body = routes.get(name)
    if (body === undefined) return ''
    const parent = /getParentRoute: \(\) => (\w+)/.exec(body)?.[1] ?? ''
    return `${pathOf(parent)}${/\bpath: '([^']*)'/.exec(body)?.[1] ?? ''}`
  }
  return [...routes]
    .filter(([, body]) => /\bpath: /.test(body) && body.includes('lazyRouteComponent'))
    .map(([name]) => pathOf(name))
}
