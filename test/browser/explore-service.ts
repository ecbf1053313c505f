import type { Page } from 'playwright-core'
import { startPublisher } from '../../demo/publisher.ts'
import { HOUR_MS } from '../../src/lib/time.ts'
import { RunningService } from '../support/running-service.ts'
import { createOrganization, signUp } from './people.ts'
import { Visitors } from './visitors.ts'

/** A service with sample slots, and somebody signed in who explores them. */
export interface ExploreService extends AsyncDisposable {
  readonly service: RunningService
  readonly visitors: Visitors
  readonly ada: Page
  readonly key: string
}

export async function openExplore(): Promise<ExploreService> {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await RunningService.prepare())
  // An hour ahead: none of its slots ends while the test compares totals.
  const nowMs = Date.now() + HOUR_MS
  const publisher = await startPublisher({ port: 0, slots: 2000, seed: 5, clock: () => nowMs })
  opening.defer(() => publisher.close())
  const key = await service.createKey()
  await service.run('source', 'add', 'sample', publisher.url)
  await service.run('sync', 'sample')
  await service.serve()
  const visitors = opening.use(await Visitors.to(service.home))
  const ada = await visitors.newcomer()
  await signUp(ada, { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' })
  await createOrganization(ada, 'Acme')
  const opened = opening.move()
  return { service, visitors, ada, key, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
