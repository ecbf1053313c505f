import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { namedPictures } from '../support/named-pictures.ts'
import { ROOT } from '../support/source-files.ts'
import { livePastMonth, type PastMonth } from './past-month.ts'
import { admit, arrive, type Place, placesOf, shown } from './places.ts'
import { Visitors } from './visitors.ts'

/** The size of the pictures of the docs: small, so that texts stay legible at the width of a page. */
const SIZE_SHOWN = { width: 1200, height: 750 }

/** Of WebP. At 80 a page of dense texts has more than 60 kB. */
const QUALITY_SHOWN = 75

const SITE: readonly Omit<Place, 'route'>[] = [
  { name: 'front', path: '/', heading: /./ },
  { name: 'docs', path: '/docs', heading: /./ },
  { name: 'docs-quickstart', path: '/docs/quickstart', heading: /./ },
  { name: 'docs-api', path: '/docs/api', heading: /./ },
  { name: 'docs-errors', path: '/docs/errors', heading: /./ },
  { name: 'docs-not-found', path: '/docs/nowhere', heading: /./ },
]

/**
 * `npm run screenshots -- <folder> [--only <pattern>]`: every page at widths 390 and 1440, in light and dark.
 * `npm run screenshots -- --docs`: the pictures that the README and the docs name, in docs/screenshots.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, docs: { type: 'boolean', default: false } },
})
const folder = values.docs ? join(ROOT, 'docs/screenshots') : (positionals[0] ?? 'screenshots')
const named = new Set(namedPictures().map(({ name }) => name))
await mkdir(folder, { recursive: true })
await using month = await livePastMonth({
  slots: 8_000,
  syncs: 24,
  // As in the README.
  ...(values.docs && { port: 8080 }),
})
await using visitors = await Visitors.to(month.service.home)
for (const width of values.docs ? [SIZE_SHOWN.width] : [390, 1440]) {
  for (const dark of [false, true]) await takeAll(month, { width, dark })
}

async function takeAll(month: PastMonth, { width, dark }: { width: number; dark: boolean }): Promise<void> {
  const people = await admit(visitors, undefined, { width, dark })
  for (const place of [...SITE, ...placesOf(month)]) {
    const page = people.get(place.as?.email ?? '')
    if (page === undefined || !isWanted(place.name)) continue
    await arrive(page, place)
    const scheme = dark ? 'dark' : 'light'
    if (values.docs) await takeShown(page, join(folder, `${place.name}-${scheme}.webp`))
    else await page.screenshot({ path: join(folder, `${place.name}-${width}-${scheme}.png`), fullPage: true })
  }
  for (const page of people.values()) await page.context().close()
}

function isWanted(name: string): boolean {
  return values.docs ? named.has(name) : new RegExp(values.only).test(name)
}

/** WebP is half as large as PNG, and Playwright does not write it. */
async function takeShown(page: Page, path: string): Promise<void> {
  await page.setViewportSize(SIZE_SHOWN)
  await shown(page)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY_SHOWN })
  await session.detach()
  await writeFile(path, data, 'base64')
}
