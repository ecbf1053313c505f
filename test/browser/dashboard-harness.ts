import { after, afterEach, before } from 'node:test'
import type { Page } from 'playwright-core'
import { MINUTE_MS } from '../../src/lib/time.ts'
import { openStore } from '../../src/store/open-store.ts'
import { RunningService } from '../support/running-service.ts'
import { fillSignUp, type Person } from './people.ts'
import { Visitors } from './visitors.ts'

/** Options of a test file, in addition to an empty service and a browser. */
export interface Beginning {
  /** Prepares the environment before the service starts. */
  readonly prepare?: (harness: DashboardHarness, service: RunningService) => Promise<unknown>
  /** Creates the first visitors. A `before` hook of the file would not wait for the service: the runner starts all hooks at once. */
  readonly begin?: (harness: DashboardHarness) => Promise<unknown>
}

/**
 * A running dashboard for the tests of one file, with a browser.
 *
 *     before the first test   prepare; start the service on an empty store; start the browser; begin
 *     after each test         describes the open pages if it failed; fails it if a page reported an error:
 *                             `Visitors.assertNoComplaints()`
 *     after the last test     stops the browser, the resources and the service, the newest first; fails if one does not stop
 */
export function serveDashboard({ prepare, begin }: Beginning = {}): DashboardHarness {
  return visitDashboard(async (harness) => {
    const service = harness.use(await RunningService.prepare())
    await prepare?.(harness, service)
    await service.serve()
    return service
  }, begin)
}

/** The same for a running service from `open`, which registers its cleanup with the harness. */
export function visitDashboard(
  open: (harness: DashboardHarness) => Promise<RunningService>,
  begin?: Beginning['begin'],
): DashboardHarness {
  const harness = new DashboardHarness()
  before(async () => {
    await harness.open(open)
    await begin?.(harness)
  })
  afterEach(async (context) => {
    if ('passed' in context && !context.passed) await harness.explain(context.name)
    harness.assertNoComplaints()
  })
  after(() => harness.close())
  return harness
}

/** A dashboard with a browser, shared by the tests of a file. */
export class DashboardHarness {
  readonly #kept = new AsyncDisposableStack()
  readonly #others: string[] = []
  #served: { service: RunningService; visitors: Visitors } | undefined

  get service(): RunningService {
    return this.#whileServed().service
  }

  get visitors(): Visitors {
    return this.#whileServed().visitors
  }

  /** A page of a new visitor in a separate browser context. */
  newcomer: Visitors['newcomer'] = (options) => this.visitors.newcomer(options)

  /** The operator's page with the list of sources, after opening a setup link. */
  async operator(person: Person): Promise<Page> {
    const page = await this.newcomer()
    await becomeOperator(page, person, await this.setupLink())
    return page
  }

  setupLink(): Promise<string> {
    return this.service.setupLink()
  }

  /** As if every session had begun 20 minutes ago. */
  async forgetConfirmations(): Promise<void> {
    const store = await openStore(String(this.service.env.DATABASE_URL))
    const createdAt = new Date(Date.now() - 20 * MINUTE_MS).toISOString()
    await store.signIn.queries.updateTable('sessions').set({ createdAt, confirmedAt: null }).execute()
    await store.close()
  }

  /** Stops it after the last test. */
  use<T extends AsyncDisposable>(thing: T): T {
    return this.#kept.use(thing)
  }

  /** The same with a custom cleanup. */
  adopt<T>(thing: T, end: (thing: T) => void | Promise<void>): T {
    return this.#kept.adopt(thing, async () => end(thing))
  }

  /** Fails if a page reported an error: see `Visitors`. */
  assertNoComplaints(): void {
    this.#served?.visitors.assertNoComplaints()
  }

  /** Prints the open pages, for the log of a failed test. */
  async explain(name: string): Promise<void> {
    console.error(`Open pages when this test failed: ${name}\n${await this.#served?.visitors.describePages()}`)
  }

  /** Allows pages to open this origin, such as a sign-in provider. Call it before the browser starts. */
  allow(origin: string): void {
    this.#others.push(origin)
  }

  /** For the hooks above. */
  async open(open: (harness: DashboardHarness) => Promise<RunningService>): Promise<void> {
    const service = await open(this)
    this.#served = { service, visitors: this.use(await Visitors.to(service.home, ...this.#others)) }
  }

  /** For the hooks above; also after a start that failed halfway. */
  async close(): Promise<void> {
    await this.#kept.disposeAsync()
  }

  #whileServed(): { service: RunningService; visitors: Visitors } {
    if (this.#served === undefined) throw new Error('Cannot visit: the dashboard must be served by now')
    return this.#served
  }
}

/** Opens the setup link, creates an account, and ends on the list of sources. */
export async function becomeOperator(page: Page, person: Person, setupLink: string): Promise<void> {
  await page.goto(setupLink)
  await page.getByRole('link', { name: 'Create your account' }).click()
  await fillSignUp(page, person)
  await page.getByRole('button', { name: 'Become the operator' }).click()
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
}
