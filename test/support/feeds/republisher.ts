import { createServer, type RequestListener, type Server } from 'node:http'
import type { TestContext } from 'node:test'
import type { Publication, Source } from '../../../src/feeds/connector.ts'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { secureResponses } from '../../../src/http/secure-response.ts'
import { createApiServer } from '../../../src/http/server.ts'
import { FeedVersions } from '../../../src/http/v1/fhir-feed/feed-versions.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { mintApiKey } from '../../../src/keys/mint-key.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import { KnownSources } from '../../../src/slot-index/known-sources.ts'
import { SlotIndex } from '../../../src/slot-index/slot-index.ts'
import { fillIndex } from '../fill-index.ts'
import { apiContextOf } from '../http/api-context.ts'
import { listenOnLoopback } from '../listen-on-loopback.ts'
import type { RecordedDraft } from './recorded-draft.ts'

/** The time of the service. */
export const NOW_MS = Date.parse('2026-06-01T12:00:00Z')

/** A service with a key, and a connector that reads its published feed. */
export class Republisher {
  statuses: number[] = []
  readonly #index = new SlotIndex()
  readonly #feedVersions: FeedVersions
  readonly origin: string
  #revision = 0

  private constructor(server: Server, origin: string) {
    this.origin = origin
    const keyRing = new KeyRing()
    const { secret, key } = mintApiKey({ organizationId: 'o', name: 'n' }, 0)
    keyRing.apply([key])
    const sources = new KnownSources()
    const sample = {
      slug: 'sample',
      paused: false,
      health: 'healthy' as const,
      lastCheckedAtMs: NOW_MS - 3_600_000,
      nextSyncAtMs: 0,
    }
    sources.apply({ sources: [sample], gone: [], whole: true })
    const limits = { intervalMs: 0, catchUpMs: 0, keepMs: 60_000, countMax: 3 }
    this.#feedVersions = new FeedVersions({ index: this.#index, sources, baseUrl: this.origin }, limits)
    const api = createApiServer(
      apiContextOf({
        index: this.#index,
        keyRing,
        sources,
        feedVersions: this.#feedVersions,
        now: () => NOW_MS,
        baseUrl: this.origin,
      }),
    )
    const [answer] = api.listeners('request') as RequestListener[]
    server.on('request', (request, response) => {
      request.headers['x-api-key'] = secret
      response.once('finish', () => this.statuses.push(response.statusCode))
      answer(request, response)
    })
  }

  static async start(t: TestContext): Promise<Republisher> {
    const server = createServer({ ServerResponse: secureResponses('') })
    const { origin } = await listenOnLoopback(t, server)
    const harness = new Republisher(server, origin)
    t.after(() => harness.#feedVersions.close())
    return harness
  }

  hold(slots: readonly Slot[]): void {
    fillIndex(this.#index, slots, { revision: ++this.#revision, nowMs: NOW_MS })
  }

  /** Reads the feed like that of any publisher. */
  async read(draft: RecordedDraft, strict = false): Promise<Publication> {
    this.statuses = []
    const { url } = this
    const source: Source = { slug: 'copy', format: 'smart-links', url, options: {}, strict }
    return smartLinks({ allowPrivate: true, now: () => NOW_MS }).read(source, draft, new AbortController().signal)
  }

  /** The address of the feed. */
  get url(): string {
    return `${this.origin}/v1/fhir/$bulk-publish`
  }

  /** The address of the open feed. */
  get openUrl(): string {
    return `${this.origin}/fhir/$bulk-publish`
  }

  /** Every resource of the feed, or of that at another address. */
  async resources(manifestUrl = this.url): Promise<Published[]> {
    const ask = async (url: string) => (await fetch(url)).text()
    const { output } = JSON.parse(await ask(manifestUrl))
    const files: string[] = []
    for (const { url } of output) files.push(await ask(url))
    return files.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line))
  }
}

/** A published FHIR resource. */
export interface Published {
  readonly resourceType: string
  readonly id: string
  readonly [element: string]: unknown
}
