import { startPublisher } from '../../demo/publisher.ts'
import { HOUR_MS } from '../../src/lib/time.ts'
import { RunningService } from './running-service.ts'

/** A service with sample slots and a key, for testing the documentation. */
export class SampleService implements AsyncDisposable {
  readonly service: RunningService
  readonly key: string
  /** The manifest of the slots. */
  readonly publisherUrl: string
  readonly #publisher: { close(): Promise<void> }
  readonly #clock: { nowMs: number }

  private constructor(
    service: RunningService,
    key: string,
    publisher: { readonly url: string; close(): Promise<void> },
    clock: { nowMs: number },
  ) {
    this.service = service
    this.key = key
    this.publisherUrl = publisher.url
    this.#publisher = publisher
    this.#clock = clock
  }

  /** Resolves once it responds. `env`: additional environment variables; `prepare` may add sources before it starts. */
  static async serve({
    slots,
    env,
    prepare,
  }: {
    slots: number
    env?: Readonly<Record<string, string>>
    prepare?: (service: RunningService) => Promise<void>
  }): Promise<SampleService> {
    const clock = { nowMs: Date.now() }
    const publisher = await startPublisher({ port: 0, slots, seed: 5, clock: () => clock.nowMs })
    const service = await RunningService.prepare()
    Object.assign(service.env, env)
    try {
      await service.run('org', 'create', 'Good Health')
      const { key } = await service.run('key', 'create', '--org', 'Good Health')
      await service.run('source', 'add', 'sample', publisher.url)
      await service.run('sync', 'sample')
      await prepare?.(service)
      await service.serve()
      return new SampleService(service, String(key), publisher, clock)
    } catch (error) {
      await service[Symbol.asyncDispose]()
      await publisher.close()
      throw error
    }
  }

  /** An hour passes for the publisher, in which slots are booked and canceled; then its feed is synced. */
  async passHour(): Promise<void> {
    this.#clock.nowMs += HOUR_MS
    await this.service.run('sync', 'sample')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]()
    await this.#publisher.close()
  }
}
