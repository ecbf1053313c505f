import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { ROOT } from '../support/source-files.ts'
import { livePastMonth, type PastMonth } from './past-month.ts'
import { admit, arrive, type Place, placesOf } from './places.ts'
import { Visitors } from './visitors.ts'

/** The screenshots of the README and the docs, at a width of 1440. */
const SHOWN = ['front', 'keys', 'key', 'explore', 'sources']
const HEIGHT_SHOWN = 810
const BYTES_MAX = 150_000

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
 * `npm run screenshots -- --docs`: the screenshots of docs/screenshots.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, docs: { type: 'boolean', default: false } },
})
const folder = values.docs ? join(ROOT, 'docs/screenshots') : (positionals[0] ?? 'screenshots')
await mkdir(folder, { recursive: true })
await using month = await livePastMonth({
  slots: 8_000,
  syncs: 24,
  // As in the README.
  ...(values.docs && { port: 8080 }),
})
await using visitors = await Visitors.to(month.service.home)
for (const width of values.docs ? [1440] : [390, 1440]) {
  for (const dark of [false, true]) await takeAll(month, { width, dark })
}

async function takeAll(month: PastMonth, { width, dark }: { width: number; dark: boolean }): Promise<void> {
  const people = await admit(visitors, undefined, { width, dark })
  for (const place of [...SITE, ...placesOf(month)]) {
    const page = people.get(place.as?.email ?? '')
    if (page === undefined || !isWanted(place.name)) continue
    await arrive(page, place)
    const scheme = dark ? 'dark' : 'light'
    await take(page, join(folder, values.docs ? `${place.name}-${scheme}.png` : `${place.name}-${width}-${scheme}.png`))
  }
  for (const page of people.values()) await page.context().close()
}

function isWanted(name: string): boolean {
  return values.docs ? SHOWN.includes(name) : new RegExp(values.only).test(name)
}

async function take(page: Page, path: string): Promise<void> {
  if (values.docs) await page.setViewportSize({ width: 1440, height: HEIGHT_SHOWN })
  await page.screenshot({ path, fullPage: !values.docs })
  const { size } = await stat(path)
  if (values.docs && size > BYTES_MAX)
    throw new Error(`Cannot keep ${path}: bytes must be at most ${BYTES_MAX}: got ${size}`)
}
