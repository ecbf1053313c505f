import { after, afterEach, before } from 'node:test'
import type { Page } from 'playwright-core'
import { RunningService } from '../support/running-service.ts'
import { fillSignUp, type Person } from './people.ts'
import { Visitors } from './visitors.ts'

/** Options of the tests of a file, besides an empty service and a browser. */
export interface Beginning {
  /** What must be there before the service serves. */
  readonly prepare?: (harness: DashboardHarness, service: RunningService) => Promise<unknown>
  /** Who is there before the first test. A `before` of the file would not wait for the service: the runner begins all of them at once. */
  readonly begin?: (harness: DashboardHarness) => Promise<unknown>
}

/**
 * A dashboard that is served to the tests of one file, and the browser in front of it.
 *
 *     before the first test   prepare; the service, its store empty; the browser; begin
 *     after each test         fails it if any page complained: `Visitors.assertNoComplaints()`
 *     after the last test     ends the browser, what was used, and the service, the newest first; fails if one of them does not end
 */
export function serveDashboard({ prepare, begin }: Beginning = {}): DashboardHarness {
  return visitDashboard(async (harness) => {
    const service = harness.use(await RunningService.prepare())
    // The operator's setup link is logged at this level.
    service.env.LOG_LEVEL = 'info'
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
  afterEach(() => harness.assertNoComplaints())
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

  /** A page of the operator, who used the setup link of the first start; on the list of sources. */
  async operator(person: Person): Promise<Page> {
    const page = await this.newcomer()
    await becomeOperator(page, person, await this.setupLink())
    return page
  }

  /** The setup link from the log of the first start. */
  async setupLink(): Promise<string> {
    return String((await this.service.logged('setup link made')).link)
  }

  /** Ends it with the rest. */
  use<T extends AsyncDisposable>(thing: T): T {
    return this.#kept.use(thing)
  }

  /** The same with a custom cleanup. */
  adopt<T>(thing: T, end: (thing: T) => void | Promise<void>): T {
    return this.#kept.adopt(thing, async () => end(thing))
  }

  /** Fails if any page did: see `Visitors`. */
  assertNoComplaints(): void {
    this.#served?.visitors.assertNoComplaints()
  }

  /** Pages may lead there besides: to a provider to sign in with. For what comes before the browser. */
  allow(origin: string): void {
    this.#others.push(origin)
  }

  /** For the hooks above. */
  async open(open: (harness: DashboardHarness) => Promise<RunningService>): Promise<void> {
    const service = await open(this)
    this.#served = { service, visitors: this.use(await Visitors.to(service.home, ...this.#others)) }
  }

  /** For the hooks above; also after a start that failed half way. */
  async close(): Promise<void> {
    await this.#kept.disposeAsync()
  }

  #whileServed(): { service: RunningService; visitors: Visitors } {
    if (this.#served === undefined) throw new Error('Cannot visit: the dashboard must be served by now')
    return this.#served
  }
}

/** From the link to the list of sources, by way of a new account. */
export async function becomeOperator(page: Page, person: Person, setupLink: string): Promise<void> {
  await page.goto(setupLink)
  await page.getByRole('link', { name: 'Create your account' }).click()
  await fillSignUp(page, person)
  await page.getByRole('button', { name: 'Become the operator' }).click()
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
}
