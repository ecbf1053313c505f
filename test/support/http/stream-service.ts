import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createApiServer } from '../../../src/http/server.ts'
import { FeedVersions } from '../../../src/http/v1/fhir-feed/feed-versions.ts'
import { ChangeStreams, STREAM_LIMITS } from '../../../src/http/v1/list-changes/change-streams.ts'
import { CHANGES_PATH } from '../../../src/http/v1/list-changes/list-changes.ts'
import type { ApiKey } from '../../../src/keys/key.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { mintApiKey } from '../../../src/keys/mint-key.ts'
import { UsageMeter } from '../../../src/keys/usage-meter.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import { IndexBuilder } from '../../../src/slot-index/index-builder.ts'
import { KnownSources } from '../../../src/slot-index/known-sources.ts'
import { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import { IndexFollower } from '../../../src/sync/follow-index.ts'
import { StoreFollower } from '../../../src/sync/follow-store.ts'
import { listenOnLoopback } from '../listen-on-loopback.ts'
import { apiContextOf } from './api-context.ts'
import { type Change, Clinic, NOW_MS } from './changes-fixture.ts'

/** Checks without a wait. */
export const QUICK_LIMITS = { ...STREAM_LIMITS, checkEveryMs: 5, retryMs: 5 }

/** A service over a clinic's store whose streams can be read. */
export class StreamService {
  readonly clinic: Clinic
  readonly meter = new UsageMeter()
  readonly streams: ChangeStreams
  /** While true, the thread that reads the store does not answer. */
  isAway = false
  /** Query strings of the pages that were read. */
  readonly asked: string[] = []
  /** Pages are read when it resolves. */
  held: Promise<unknown> = Promise.resolve()
  readonly #keyRing = new KeyRing()
  readonly #index = new SlotIndex()
  readonly #follower: StoreFollower
  readonly #server
  readonly #responses: ServerResponse[] = []
  readonly #keys = new Map<string, { readonly secret: string; readonly key: ApiKey }>()

  private constructor(clinic: Clinic, limits: typeof STREAM_LIMITS) {
    this.clinic = clinic
    const sources = new KnownSources()
    const showing = new IndexFollower(this.#index, new KeyRing(), sources)
    const send = { builder: new IndexBuilder(), send: showing.take.bind(showing) }
    this.#follower = new StoreFollower(clinic.store, send)
    this.streams = new ChangeStreams(
      {
        ask: async (request) => {
          await this.held
          if (this.isAway) throw new Error('away')
          this.asked.push(request.target)
          return clinic.respond(request)
        },
        committed: () => this.#index.committed,
        now: () => NOW_MS,
      },
      limits,
    )
    this.#server = createApiServer(
      apiContextOf({
        index: this.#index,
        keyRing: this.#keyRing,
        sources,
        feedVersions: new FeedVersions({ index: this.#index, sources, baseUrl: '' }),
        changeStreams: this.streams,
        meter: this.meter,
        now: () => NOW_MS,
        baseUrl: '',
      }),
    )
  }

  static async start(t: TestContext, limits = QUICK_LIMITS): Promise<StreamService> {
    const service = new StreamService(await Clinic.open(t), limits)
    await service.publish([])
    service.#server.on('request', (_request, response) => service.#responses.push(response))
    t.after(() => service.streams.close())
    await listenOnLoopback(t, service.#server)
    return service
  }

  /** True while a client does not read. */
  get isBlocked(): boolean {
    return this.#responses.some((response) => response.writableNeedDrain)
  }

  /** Replaces all slots, and shows them. */
  async publish(slots: readonly Slot[]): Promise<void> {
    await this.clinic.publish(slots)
    await this.#follower.poll()
  }

  /** Revokes the key of an organization. */
  revoke(organizationId: string): void {
    const known = this.#keys.get(organizationId)
    if (known !== undefined) this.#keyRing.apply([{ ...known.key, revokedAtMs: NOW_MS }])
  }

  /** Opens a stream with the key of an organization. */
  async open(
    search = '',
    { organization = 'o', headers = {}, method = 'GET' }: StreamOptions = {},
  ): Promise<EventStream> {
    const asked = request({
      port: (this.#server.address() as AddressInfo).port,
      path: `${CHANGES_PATH}${search}`,
      method,
      headers: { 'x-api-key': this.#secretOf(organization), accept: 'text/event-stream', ...headers },
      agent: false,
    })
    asked.end()
    asked.on('error', () => undefined)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return new EventStream(response)
  }

  #secretOf(organizationId: string): string {
    const known = this.#keys.get(organizationId) ?? mintApiKey({ organizationId, name: 'n' }, 0)
    this.#keys.set(organizationId, known)
    this.#keyRing.apply([known.key])
    return known.secret
  }
}

interface StreamOptions {
  readonly organization?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

/** An event, or a position without one. */
export interface StreamedEvent {
  readonly id: string
  readonly event?: string
  readonly data?: Change
}

/** A response that is read event by event. */
export class EventStream {
  readonly response: IncomingMessage
  readonly #events: AsyncGenerator<StreamedEvent>

  constructor(response: IncomingMessage) {
    this.response = response
    response.on('error', () => undefined)
    this.#events = eventsOf(response)
  }

  /** The next event or position; undefined at the end of the stream. */
  async next(): Promise<StreamedEvent | undefined> {
    const { value, done } = await this.#events.next()
    return done ? undefined : value
  }

  /** The body of an error. */
  async text(): Promise<string> {
    let text = ''
    for await (const chunk of this.response) text += chunk
    return text
  }

  close(): void {
    this.response.destroy()
  }
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<StreamedEvent> {
  let rest = ''
  for await (const chunk of response.setEncoding('utf8')) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
      if (id !== undefined) yield { id, ...(event && { event }), ...(data && { data: JSON.parse(data) }) }
    }
  }
}
