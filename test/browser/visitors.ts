import assert from 'node:assert/strict'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'

/** Longer than any action of the dashboard takes on a slow, busy machine. */
const PATIENCE_MS = 40_000

const DESCRIBE_MS = 5_000
const DESCRIPTION_LENGTH_MAX = 3_000

/** WCAG 2.2 A and AA with all earlier versions, and the best practices of axe. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

const AXE_RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** One browser with several visitors, each in a separate context with separate cookies. */
export class Visitors implements AsyncDisposable {
  readonly #browser: Browser
  readonly #origin: string
  readonly #allowed: readonly string[]
  readonly #complaints: string[] = []

  private constructor(browser: Browser, origin: string, allowed: readonly string[]) {
    this.#browser = browser
    this.#origin = origin
    this.#allowed = [origin, ...allowed]
  }

  /** `others`: further origins that pages may open, such as a sign-in provider or a publisher's booking page. */
  static async to(origin: string, ...others: readonly string[]): Promise<Visitors> {
    return new Visitors(await launchChromium(), origin, others)
  }

  /** A page of a new visitor; relative URLs resolve against the origin. */
  async newcomer(options: { width?: number; dark?: boolean; script?: false; locale?: string } = {}): Promise<Page> {
    const width = options.width ?? 1280
    const isPhone = width < 600
    const context = await this.#browser.newContext({
      baseURL: this.#origin,
      colorScheme: options.dark ? 'dark' : 'light',
      viewport: { width, height: 900 },
      isMobile: isPhone,
      hasTouch: isPhone,
      locale: options.locale ?? 'en-US',
      timezoneId: 'America/New_York',
      reducedMotion: 'reduce',
      javaScriptEnabled: options.script ?? true,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(PATIENCE_MS)
    this.#watch(context)
    return context.newPage()
  }

  /** Fails if any page logged an error, broke its content security policy, threw, or sent a request to another host. */
  assertNoComplaints(): void {
    assert.deepEqual(this.#complaints.splice(0), [])
  }

  /** Every open page as a reader of the screen meets it, to explain a failed test. */
  async describePages(): Promise<string> {
    const pages = this.#browser.contexts().flatMap((context) => context.pages())
    return (await Promise.all(pages.map(describePage))).join('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close()
  }

  #watch(context: BrowserContext): void {
    context.on('weberror', (error) => this.#complaints.push(`threw: ${error.error().stack}`))
    context.on('console', (message) => {
      // The page reports rejected requests itself; the browser's log line adds nothing.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
      this.#complaints.push(`logged: ${message.text()} (${message.location().url})`)
    })
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (/^https?:$/.test(protocol) && !this.#allowed.includes(origin)) {
        this.#complaints.push(`asked another host: ${request.url()}`)
      }
    })
  }
}

/** The URL and the roles, names and texts, cut off where a log would. */
async function describePage(page: Page): Promise<string> {
  const content = await page
    .locator('body')
    .ariaSnapshot({ timeout: DESCRIBE_MS })
    .catch((error: Error) => error.message)
  return `${page.url()}\n${content.slice(0, DESCRIPTION_LENGTH_MAX)}`
}

/** Fails with every finding of axe on the current page, in the light and the dark scheme. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  assert.deepEqual(await findingsOf(page, where), [])
}

export type Scheme = 'light' | 'dark'

const SCHEMES: readonly Scheme[] = ['light', 'dark']

/**
 * The color schemes in which the n-th page is checked: light and dark in turn, which covers the theme in half the time; both
 * with `AXE_SCHEMES=both`.
 */
export function schemesOf(n: number): readonly Scheme[] {
  return process.env.AXE_SCHEMES === 'both' ? SCHEMES : [SCHEMES[n % 2]]
}

/** Every finding of axe on the current page in these schemes, or only on the elements of the selector `within`. */
export async function findingsOf(
  page: Page,
  where: string,
  { schemes = SCHEMES, within }: { schemes?: readonly Scheme[]; within?: string | undefined } = {},
): Promise<string[]> {
  const found: string[] = []
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  // The scheme that the page has comes first: changing it takes longer than checking the page.
  const ordered = isDark ? schemes.toReversed() : schemes
  for (const [at, colorScheme] of ordered.entries()) {
    await showIn(page, colorScheme)
    const violations = await runAxe(page, within, {
      // In the second scheme, only findings about colors can differ.
      runOnly: at === 0 ? { type: 'tag', values: AXE_TAGS } : { type: 'rule', values: AXE_RULES_OF_COLOUR },
      resultTypes: ['violations'],
      // Otherwise axe requests every style sheet once more.
      preload: false,
    })
    for (const { id, help, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        found.push(`${where}, ${colorScheme}: ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`)
      }
    }
  }
  return found
}

/** Runs axe in the page itself, which has no frames. */
async function runAxe(page: Page, within: string | undefined, options: RunOptions): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ within, options }) => {
      const { axe: inPage } = window as unknown as { axe: { run: RunAxe } }
      return (await inPage.run(within ?? document, options)).violations
    },
    { within, options },
  )
}

type RunAxe = (context: string | Document, options: RunOptions) => Promise<AxeResults>

/** Reports a page without exactly one h1. */
export async function oneHeading(page: Page, where: string): Promise<string[]> {
  const count = await page.getByRole('heading', { level: 1 }).count()
  return count === 1 ? [] : [`${where}: must have one h1: got ${count}`]
}

/** Reports a page that scrolls sideways. On a phone `innerWidth` would grow with what is too wide. */
export async function isWide(page: Page, where: string): Promise<string[]> {
  const [wide, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth]
  })
  return wide <= window ? [] : [`${where}: scrolls sideways: ${wide} in ${window}`]
}

/** Resolves once the page shows the scheme: the dashboard is notified by an event, and colors may fade. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(
    (scheme) => (document.documentElement.dataset.mantineColorScheme ?? scheme) === scheme,
    colorScheme,
  )
  await settled(page)
}

/** Resolves when all animations have ended: axe would measure the contrast of a half-faded text. */
export async function settled(page: Page): Promise<void> {
  // An animation starts with the next frame after the change.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  // A function, not a string: the Content-Security-Policy of the pages forbids eval.
  const isStill = () => document.getAnimations().every(({ playState }) => playState !== 'running')
  await page.waitForFunction(isStill, undefined, { polling: 100 })
}
