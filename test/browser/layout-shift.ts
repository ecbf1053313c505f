import type { Page } from 'playwright-core'

declare global {
  interface Window {
    /** The cumulative layout shift since the page was opened. */
    layoutShifted: number
  }
}

/** Runs in each page, before its own scripts. */
export function countLayoutShifts(): void {
  window.layoutShifted = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) window.layoutShifted += entry.value
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}

/** Reports a page whose contents moved while it opened: a cumulative layout shift above `max`. */
export async function layoutShift(page: Page, where: string, max = 0.05): Promise<string[]> {
  const moved = await page.evaluate(() => window.layoutShifted)
  return moved <= max ? [] : [`${where}: moves by ${moved.toFixed(3)} while it opens`]
}
