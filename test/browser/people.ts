import type { Page } from 'playwright-core'

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** A person with this name, whose email address is the first name at the domain. */
export function personOf(name: string, domain = 'example.org'): Person {
  const [first] = name.toLowerCase().split(' ')
  return { name, email: `${first}@${domain}`, password: `a passphrase of ${first}` }
}

/** Fills in and submits the sign-up form; resolves when the account exists. The next page depends on the configuration. */
export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto('/app/sign-up')
  await fillSignUp(page, person)
}

/** The same on a page that is already open. */
export async function fillSignUp(page: Page, { name, email, password }: Person): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await submitted(page, 'sign-up', () => page.getByRole('button', { name: 'Create account' }).click())
}

/** Fills in and submits the sign-in form; resolves when it has been answered. */
export async function signIn(page: Page, { email, password }: Omit<Person, 'name'>): Promise<void> {
  await page.goto('/app/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await submitted(page, 'sign-in', () => page.getByRole('button', { name: 'Sign in', exact: true }).click())
}

/** Resolves when the service has answered the form: another page may rely on what it did. */
async function submitted(page: Page, form: 'sign-up' | 'sign-in', submit: () => Promise<void>): Promise<void> {
  await Promise.all([page.waitForResponse(`**/api/auth/${form}/email`), submit()])
}

/** Signs in; resolves on the keys page, where members of an organization arrive. */
export async function enter(page: Page, person: Omit<Person, 'name'>): Promise<void> {
  await signIn(page, person)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
}

/** Signs out by the menu of any page; resolves on the sign-in page. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

/** Creates the first organization of a new account; resolves with its id on its keys page. */
export async function createOrganization(page: Page, name: string): Promise<string> {
  await page.getByLabel('Organization name').fill(name)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  return new URL(page.url()).pathname.split('/')[3]
}

/** Calls the dashboard API from the page, with its cookies. `body` is undefined if the response is not JSON. */
export function call(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  return page.evaluate(
    async ({ method, path, body }) => {
      const response = await fetch(path, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      return { status: response.status, body: await response.json().catch(() => undefined) }
    },
    { method, path, body },
  )
}

/** True if the page's cookies belong to a session. */
export async function isSignedIn(page: Page): Promise<boolean> {
  return (await call(page, 'GET', '/api/me')).body !== null
}
