import type { Page } from 'playwright-core'
import { ADA, EMMY, GRACE, KATHERINE, type PastMonth } from './past-month.ts'
import { type Person, signIn } from './people.ts'
import { settled, type Visitors } from './visitors.ts'

/** A page of the dashboard, as one kind of visitor comes to it. */
export interface Place {
  /** What a picture of it is called. */
  readonly name: string
  /** As the router names it. */
  readonly route: string
  readonly path: string
  /** Nobody is signed in where none is named. */
  readonly as?: Person
  /** The page's only h1. */
  readonly heading: string | RegExp
}

/** Every page of the dashboard, with what a month has left on it. */
export function placesOf(month: PastMonth): readonly Place[] {
  const org = `/app/o/${month.organizationId}`
  const empty = `/app/o/${month.emptyOrganizationId}`
  const token = (link: string) => link.slice(link.indexOf('/app/'))
  return [
    { name: 'sign-in', route: '/app/sign-in', path: '/app/sign-in', heading: 'Sign in' },
    { name: 'sign-up', route: '/app/sign-up', path: '/app/sign-up', heading: 'Create your account' },
    {
      name: 'forgot-password',
      route: '/app/forgot-password',
      path: '/app/forgot-password',
      heading: 'Forgot your password?',
    },
    {
      name: 'reset-password',
      route: '/app/reset-password',
      path: '/app/reset-password#a-token',
      heading: 'Choose a new password',
    },
    { name: 'two-factor', route: '/app/two-factor', path: '/app/two-factor', heading: 'Second factor' },
    {
      name: 'confirm-email',
      route: '/app/confirm-email',
      path: '/app/confirm-email#a-token',
      heading: 'Your address is not confirmed',
    },
    {
      name: 'invitation',
      route: '/app/invitation',
      path: token(month.invitationLink),
      heading: 'Join Northgate Health',
    },
    { name: 'setup', route: '/app/setup', path: token(month.setupLink), heading: 'Set up this service' },
    { name: 'welcome', route: '/app/welcome', path: '/app/welcome', as: ADA, heading: 'New organization' },
    { name: 'account', route: '/app/account', path: '/app/account', as: ADA, heading: 'Your account' },
    {
      name: 'explore',
      route: '/app/explore',
      path: '/app/explore?state=MA&isVirtual=true',
      as: ADA,
      heading: 'Explore slots',
    },
    {
      name: 'explore-days',
      route: '/app/explore',
      path: '/app/explore?view=days',
      as: ADA,
      heading: 'Explore slots',
    },
    {
      name: 'explore-nothing',
      route: '/app/explore',
      path: '/app/explore?state=MA&city=Atlantis',
      as: ADA,
      heading: 'Explore slots',
    },
    {
      name: 'explore-refused',
      route: '/app/explore',
      path: '/app/explore?limit=500',
      as: ADA,
      heading: 'Explore slots',
    },
    { name: 'keys', route: '/app/o/$org/keys', path: `${org}/keys`, as: ADA, heading: 'API keys' },
    {
      name: 'key',
      route: '/app/o/$org/keys/$key',
      path: `${org}/keys/${month.keyId}`,
      as: ADA,
      heading: 'production web',
    },
    {
      name: 'key-revoked',
      route: '/app/o/$org/keys/$key',
      path: `${org}/keys/${month.revokedKeyId}`,
      as: ADA,
      heading: 'prototype',
    },
    { name: 'usage', route: '/app/o/$org/usage', path: `${org}/usage`, as: ADA, heading: 'Usage' },
    {
      name: 'usage-by-key',
      route: '/app/o/$org/usage',
      path: `${org}/usage?range=30d&by=key`,
      as: ADA,
      heading: 'Usage',
    },
    { name: 'limits', route: '/app/o/$org/limits', path: `${org}/limits`, as: ADA, heading: 'Limits' },
    { name: 'members', route: '/app/o/$org/members', path: `${org}/members`, as: ADA, heading: 'Members' },
    { name: 'audit', route: '/app/o/$org/audit', path: `${org}/audit`, as: ADA, heading: 'Audit log' },
    {
      name: 'settings',
      route: '/app/o/$org/settings',
      path: `${org}/settings`,
      as: ADA,
      heading: 'Settings',
    },
    {
      name: 'settings-of-an-admin',
      route: '/app/o/$org/settings',
      path: `${org}/settings`,
      as: GRACE,
      heading: 'Settings',
    },
    {
      name: 'audit-of-a-member',
      route: '/app/o/$org/audit',
      path: `${org}/audit`,
      as: KATHERINE,
      heading: 'Audit log',
    },
    {
      name: 'sources',
      route: '/app/operator/sources',
      path: '/app/operator/sources',
      as: ADA,
      heading: 'Sources',
    },
    {
      name: 'source',
      route: '/app/operator/sources/$slug',
      path: '/app/operator/sources/northeast-pharmacies',
      as: ADA,
      heading: 'northeast-pharmacies',
    },
    {
      name: 'source-rejecting',
      route: '/app/operator/sources/$slug',
      path: '/app/operator/sources/harbour-clinic',
      as: ADA,
      heading: 'harbour-clinic',
    },
    {
      name: 'source-failing',
      route: '/app/operator/sources/$slug',
      path: '/app/operator/sources/valley-care',
      as: ADA,
      heading: 'valley-care',
    },
    {
      name: 'organizations',
      route: '/app/operator/organizations',
      path: '/app/operator/organizations',
      as: ADA,
      heading: 'Organizations',
    },
    {
      name: 'accounts',
      route: '/app/operator/accounts',
      path: '/app/operator/accounts',
      as: ADA,
      heading: 'Accounts',
    },
    {
      name: 'health',
      route: '/app/operator/health',
      path: '/app/operator/health',
      as: ADA,
      heading: 'Health',
    },
    { name: 'keys-none', route: '/app/o/$org/keys', path: `${empty}/keys`, as: EMMY, heading: 'API keys' },
    { name: 'usage-none', route: '/app/o/$org/usage', path: `${empty}/usage`, as: EMMY, heading: 'Usage' },
    {
      name: 'members-none',
      route: '/app/o/$org/members',
      path: `${empty}/members`,
      as: EMMY,
      heading: 'Members',
    },
    {
      name: 'settings-alone',
      route: '/app/o/$org/settings',
      path: `${empty}/settings`,
      as: EMMY,
      heading: 'Settings',
    },
    {
      name: 'operator-only',
      route: '/app/operator',
      path: '/app/operator/sources',
      as: KATHERINE,
      heading: 'For the operator',
    },
    { name: 'not-found', route: '/app/o/$org', path: '/app/o/elsewhere', as: ADA, heading: 'Nothing here' },
  ]
}

/** A page of each of these people, signed in, and of nobody, under ''. */
export async function admit(
  visitors: Visitors,
  people: readonly Person[] = [ADA, GRACE, KATHERINE, EMMY],
  options: { width?: number; dark?: boolean } = {},
): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map([['', await visitors.newcomer(options)]])
  for (const person of people) {
    const page = await visitors.newcomer(options)
    await signIn(page, person)
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    pages.set(person.email, page)
  }
  return pages
}

/** Goes there, and waits until all of it is shown. */
export async function arrive(page: Page, place: Pick<Place, 'path' | 'heading'>): Promise<void> {
  await page.goto(place.path)
  await page.getByRole('heading', { level: 1, name: place.heading }).waitFor()
  await shown(page)
}

/** Resolves once nothing is loading, and nothing moves. */
export async function shown(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
  await settled(page)
}

/** So many tabs are looked at side by side. */
const TABS = 3

/** Does the same in a tab for each, of whoever it is for, and returns what all of them found. */
export async function inTabs<T extends { readonly as?: Person }>(
  people: ReadonlyMap<string, Page>,
  all: readonly T[],
  look: (page: Page, one: T) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = []
  const waiting = all.values()
  const lookOn = async () => {
    for (const one of waiting) {
      const page = await people
        .get(one.as?.email ?? '')
        ?.context()
        .newPage()
      if (page === undefined)
        throw new Error(`Cannot look: there must be a page of ${one.as?.email ?? 'nobody'}`)
      found.push(...(await look(page, one)))
      await page.close()
    }
  }
  await Promise.all(Array.from({ length: TABS }, lookOn))
  return found
}
