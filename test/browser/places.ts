import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts'
import { ADA, EMMY, GRACE, KATHERINE, type PastMonth } from './past-month.ts'
import { enter, type Person } from './people.ts'
import { type Scheme, schemesOf, settled, type Visitors } from './visitors.ts'

/** A page of the dashboard, as one kind of visitor sees it. */
export interface Place {
  /** The name of its screenshot. */
  readonly name: string
  /** Its path in the router. */
  readonly route: string
  readonly path: string
  /** Signed out if absent. */
  readonly as?: Person
  /** The page's only h1. */
  readonly heading: string | RegExp
}

/** Every page of the dashboard, with the data of a month. */
export function placesOf(month: PastMonth): readonly Place[] {
  return [...entrance(month), ...ownPages(month), ...operatorPages(month)].map(([name, route, path, heading, as]) => ({
    name,
    route,
    path,
    heading,
    ...(as && { as }),
  }))
}

/** A signed-in page of each of these people, and a signed-out page under ''. */
export async function admit(
  visitors: Visitors,
  people: readonly Person[] = [ADA, GRACE, KATHERINE, EMMY],
  options: { width?: number; dark?: boolean } = {},
): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map([['', await visitors.newcomer(options)]])
  for (const person of people) {
    const page = await visitors.newcomer(options)
    await enter(page, person)
    pages.set(person.email, page)
  }
  return pages
}

/** Loads the page and waits until it is complete. */
export async function arrive(page: Page, place: Pick<Place, 'path' | 'heading'>): Promise<void> {
  await page.goto(place.path)
  await completed(page, place.heading)
}

/** The same without loading the dashboard again, as a link in it does: a load takes several times as long. */
export async function follow(page: Page, place: Pick<Place, 'path' | 'heading'>): Promise<void> {
  const isInside = new URL(page.url()).pathname.startsWith('/app/')
  // If both pages have the same heading, nothing would show when the second one has replaced the first.
  if (!isInside || (await headingOf(page, place.heading).isVisible())) return arrive(page, place)
  await page.evaluate((path) => history.pushState({}, '', path), place.path)
  await completed(page, place.heading)
}

async function completed(page: Page, heading: Place['heading']): Promise<void> {
  await headingOf(page, heading).waitFor()
  await shown(page)
}

function headingOf(page: Page, name: Place['heading']): Locator {
  return page.getByRole('heading', { level: 1, name })
}

/** Resolves once nothing is loading or animated. */
export async function shown(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
  await settled(page)
}

/** The number of tabs that are checked concurrently. */
const TABS = 3

/** Longer than any page takes on a slow, busy machine. Without it, a script that never ends in a page would stop the whole run. */
const LOOK_MS = 5 * MINUTE_MS

/** Visits each place in a tab of its user, one tab for each color scheme, and returns all findings. */
export async function inTabs<T extends { readonly as?: Person; readonly path: string }>(
  people: ReadonlyMap<string, Page>,
  all: readonly T[],
  look: (page: Page, one: T, schemes: readonly Scheme[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = []
  const visits = all.map((one, n) => ({ one, who: one.as?.email ?? '', schemes: schemesOf(n) }))
  const tabs = [...Map.groupBy(visits, ({ who, schemes }) => `${who} ${schemes}`).values()]
  const waiting = tabs.toSorted((a, b) => b.length - a.length).values()
  const lookOn = async () => {
    for (const tab of waiting) {
      const [{ who, schemes }] = tab
      const page = await people.get(who)?.context().newPage()
      if (page === undefined) throw new Error(`Cannot look: there must be a page of ${who || 'nobody'}`)
      // Before the pages open: changing the colors of an open page takes longer than checking it.
      await page.emulateMedia({ colorScheme: schemes[0] })
      for (const { one } of tab) found.push(...(await inTime(look(page, one, schemes), one.path)))
      await page.close()
    }
  }
  await Promise.all(Array.from({ length: TABS }, lookOn))
  return found
}

async function inTime<T>(looking: Promise<T>, path: string): Promise<T> {
  const ended = new AbortController()
  const late = pause(LOOK_MS, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`Cannot check ${path}: it took longer than ${LOOK_MS / MINUTE_MS} minutes`)
  })
  try {
    return await Promise.race([looking, late])
  } finally {
    ended.abort()
  }
}

type Row = readonly [name: string, route: string, path: string, heading: Place['heading'], as?: Person]

function entrance(month: PastMonth): readonly Row[] {
  const token = (link: string) => link.slice(link.indexOf('/app/'))
  return [
    ['sign-in', '/app/sign-in', '/app/sign-in', 'Sign in'],
    ['sign-up', '/app/sign-up', '/app/sign-up', 'Create your account'],
    ['forgot-password', '/app/forgot-password', '/app/forgot-password', 'Forgot your password?'],
    ['reset-password', '/app/reset-password', '/app/reset-password#a-token', 'Choose a new password'],
    ['two-factor', '/app/two-factor', '/app/two-factor', 'Two-factor authentication'],
    ['confirm-email', '/app/confirm-email', '/app/confirm-email#a-token', "Your email isn't verified"],
    ['invitation', '/app/invitation', token(month.invitationLink), /^Join /],
    ['setup', '/app/setup', token(month.setupLink), 'Set up this service'],
  ]
}

function ownPages(month: PastMonth): readonly Row[] {
  const org = `/app/o/${month.organizationId}`
  const empty = `/app/o/${month.emptyOrganizationId}`
  return [
    ['welcome', '/app/welcome', '/app/welcome', 'New organization', ADA],
    ['second-factor', '/app/second-factor', '/app/second-factor', 'Nothing left to set up', ADA],
    ['account', '/app/account', '/app/account', 'Your account', ADA],
    ['explore', '/app/explore', '/app/explore?state=MA&isVirtual=true', 'Explore slots', ADA],
    ['explore-map', '/app/explore', '/app/explore?view=map&state=CA', 'Explore slots', ADA],
    ['explore-days', '/app/explore', '/app/explore?view=days', 'Explore slots', ADA],
    ['explore-nothing', '/app/explore', '/app/explore?state=MA&city=Atlantis', 'Explore slots', ADA],
    ['explore-refused', '/app/explore', '/app/explore?limit=500', 'Explore slots', ADA],
    ['keys', '/app/o/$org/keys', `${org}/keys`, 'API keys', ADA],
    ['key', '/app/o/$org/keys/$key', `${org}/keys/${month.keyId}`, month.nameOf('production web'), ADA],
    ['key-revoked', '/app/o/$org/keys/$key', `${org}/keys/${month.revokedKeyId}`, month.nameOf('prototype'), ADA],
    ['webhooks', '/app/o/$org/webhooks', `${org}/webhooks`, 'Webhooks', ADA],
    ['webhooks-none', '/app/o/$org/webhooks', `${empty}/webhooks`, 'Webhooks', EMMY],
    [
      'subscription',
      '/app/o/$org/webhooks/$subscription',
      `${org}/webhooks/${month.subscriptionId}`,
      'hooks.northgate.example',
      ADA,
    ],
    ['usage', '/app/o/$org/usage', `${org}/usage`, 'Usage', ADA],
    ['usage-compared', '/app/o/$org/usage', `${org}/usage?range=custom&${lastWeek()}&compare=1`, 'Usage', ADA],
    ['usage-by-key', '/app/o/$org/usage', `${org}/usage?range=30d&by=key`, 'Usage', ADA],
    ['logs', '/app/o/$org/logs', `${org}/logs`, 'Logs', ADA],
    ['logs-failed', '/app/o/$org/logs', `${org}/logs?status=4xx&path=Nowhere`, 'Logs', ADA],
    ['logs-no-match', '/app/o/$org/logs', `${org}/logs?address=192.0.2.99`, 'Logs', ADA],
    ['limits', '/app/o/$org/limits', `${org}/limits`, 'Limits', ADA],
    ['members', '/app/o/$org/members', `${org}/members`, 'Members', ADA],
    ['audit', '/app/o/$org/audit', `${org}/audit`, 'Audit log', ADA],
    ['settings', '/app/o/$org/settings', `${org}/settings`, 'Settings', ADA],
    ['settings-of-an-admin', '/app/o/$org/settings', `${org}/settings`, 'Settings', GRACE],
    ['audit-of-a-member', '/app/o/$org/audit', `${org}/audit`, 'Audit log', KATHERINE],
    ['keys-none', '/app/o/$org/keys', `${empty}/keys`, 'API keys', EMMY],
    ['logs-none', '/app/o/$org/logs', `${empty}/logs`, 'Logs', EMMY],
    ['usage-none', '/app/o/$org/usage', `${empty}/usage`, 'Usage', EMMY],
    ['members-none', '/app/o/$org/members', `${empty}/members`, 'Members', EMMY],
    ['settings-alone', '/app/o/$org/settings', `${empty}/settings`, 'Settings', EMMY],
    ['not-found', '/app/o/$org', '/app/o/elsewhere', 'Page not found', ADA],
  ]
}

/** The week before the current one, as the parameters of two dates. */
function lastWeek(): string {
  const [from, to] = [13, 7].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10))
  return `from=${from}&to=${to}`
}

function operatorPages(month: PastMonth): readonly Row[] {
  return [
    ['sources', '/app/operator/sources', '/app/operator/sources', 'Sources', ADA],
    [
      'source',
      '/app/operator/sources/$slug',
      '/app/operator/sources/northeast-pharmacies',
      month.nameOf('northeast-pharmacies'),
      ADA,
    ],
    [
      'source-rejecting',
      '/app/operator/sources/$slug',
      '/app/operator/sources/harbour-clinic',
      month.nameOf('harbour-clinic'),
      ADA,
    ],
    [
      'source-failing',
      '/app/operator/sources/$slug',
      '/app/operator/sources/valley-care',
      month.nameOf('valley-care'),
      ADA,
    ],
    [
      'source-held',
      '/app/operator/sources/$slug',
      '/app/operator/sources/lakeside-clinic',
      month.nameOf('lakeside-clinic'),
      ADA,
    ],
    ['source-log', '/app/operator/source-log', '/app/operator/source-log', 'Change log', ADA],
    ['sources-failing', '/app/operator/sources', '/app/operator/sources?health=failing', 'Sources', ADA],
    ['check', '/app/operator/check', '/app/operator/check', 'Check a feed', ADA],
    [
      'check-prefilled',
      '/app/operator/check',
      '/app/operator/check?url=https://publisher.example/',
      'Check a feed',
      ADA,
    ],
    ['import', '/app/operator/import', '/app/operator/import?slug=clinic', 'Import a file', ADA],
    ['organizations', '/app/operator/organizations', '/app/operator/organizations', 'Organizations', ADA],
    ['accounts', '/app/operator/accounts', '/app/operator/accounts', 'Accounts', ADA],
    [
      'operated-organization',
      '/app/operator/organizations/$id',
      `/app/operator/organizations/${month.organizationId}`,
      month.nameOf('Northgate Health'),
      ADA,
    ],
    [
      'operated-account',
      '/app/operator/accounts/$user',
      `/app/operator/accounts/${month.viewerId}`,
      month.nameOf(GRACE.name),
      ADA,
    ],
    ['operators', '/app/operator/operators', '/app/operator/operators', 'Operators', ADA],
    ['operators-viewer', '/app/operator/operators', '/app/operator/operators', 'Operators', GRACE],
    ['sources-viewer', '/app/operator/sources', '/app/operator/sources', 'Sources', GRACE],
    ['check-viewer', '/app/operator/check', '/app/operator/check', 'Operator access required', GRACE],
    ['service-audit', '/app/operator/audit', '/app/operator/audit', 'Service log', ADA],
    ['health', '/app/operator/health', '/app/operator/health', 'Health', ADA],
    ['operator-only', '/app/operator', '/app/operator/sources', 'Operator access required', KATHERINE],
  ]
}
