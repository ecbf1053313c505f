import type { Page } from 'playwright-core'
import type { Person } from './people.ts'

/** What opens over a page, and how one gets there. */
export interface Opening {
  /** Below dashboard/src: where what is looked at is written. */
  readonly of: readonly string[]
  readonly as: Person
  readonly path: string
  /** `look` once each time that something else is open. */
  readonly open: (page: Page, look: (what: string) => Promise<void>) => Promise<void>
}

/** A question that a button asks. */
export function confirmation(of: string, as: Person, { path, button }: { path: string; button: string }): Opening {
  return {
    of: [of],
    as,
    path,
    async open(page, look) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor()
      await look('question')
    },
  }
}
