import type { Page } from 'playwright-core'
import type { Person } from './people.ts'

/** Overlays of a page, and how to open them. */
export interface Opening {
  /** The component's file, below dashboard/src. */
  readonly of: readonly string[]
  readonly as: Person
  readonly path: string
  /** Calls `look` once per overlay. */
  readonly open: (page: Page, look: (what: string) => Promise<void>) => Promise<void>
}

/** A confirmation dialog that a button opens. */
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
