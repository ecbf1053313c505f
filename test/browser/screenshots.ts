import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ADA, GRACE, KATHERINE, livePastMonth } from './past-month.ts'
import { admit, arrive, placesOf } from './places.ts'
import { Visitors } from './visitors.ts'

/** `npm run screenshots -- <folder>`: every page, at 390 and 1440, in the light and in the dark. */
const folder = process.argv[2] ?? 'screenshots'
const only = process.argv[3]
await mkdir(folder, { recursive: true })
await using month = await livePastMonth({ slots: 8_000, syncs: 24 })
await using visitors = await Visitors.to(month.service.home)
for (const width of [1440, 390]) {
  for (const dark of [false, true]) {
    const pages = await admit(visitors, [ADA, GRACE, KATHERINE], { width, dark })
    for (const place of placesOf(month)) {
      if (only !== undefined && !place.name.match(only)) continue
      const page = pages.get(place.as?.email ?? '')
      if (page === undefined) continue
      await arrive(page, place)
      await page.screenshot({
        path: join(folder, `${place.name}-${width}-${dark ? 'dark' : 'light'}.png`),
        fullPage: true,
      })
    }
    for (const page of pages.values()) await page.context().close()
  }
}
