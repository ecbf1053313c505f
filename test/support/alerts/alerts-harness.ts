import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { AlertConfig } from '../../../src/config/config.ts'
import type { LogEvent } from '../../../src/lib/log-event.ts'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import { openChannels } from '../../../src/notifications/alerts/alert-channel.ts'
import { AlertChannels } from '../../../src/notifications/alerts/alert-channels.ts'
import { Alerts } from '../../../src/notifications/alerts/alerts.ts'
import { NodeMemory, type NodeSlots } from '../../../src/notifications/alerts/node-memory.ts'
import { openMailer } from '../../../src/notifications/mail/smtp-mailer.ts'
import { UNNAMED_SERVICE } from '../../../src/shared/service-identity.ts'
import type { SourceHealth } from '../../../src/slot/source-freshness.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { tempFolder } from '../temp-folder.ts'
import { SECRET, WebhookReceiver } from './webhook-receiver.ts'

const DASHBOARD_URL = 'https://slots.example/'

/** The settings of a node. */
interface NodeParts {
  readonly smtpUrl?: string
  readonly wrap?: (store: Store) => Store
  readonly nodeSlots?: () => Promise<NodeSlots>
}

/** A store in a file, a webhook receiver, and nodes that send alerts. */
export class AlertsHarness {
  nowMs = Date.parse('2026-01-05T08:00:00Z')
  readonly events: LogEvent[] = []
  readonly databaseUrl: string
  readonly store: Store
  readonly receiver: WebhookReceiver
  readonly #t: TestContext
  readonly #healths = new Map<string, SourceHealth>()

  private constructor(t: TestContext, parts: { databaseUrl: string; store: Store; receiver: WebhookReceiver }) {
    this.#t = t
    this.databaseUrl = parts.databaseUrl
    this.store = parts.store
    this.receiver = parts.receiver
  }

  static async open(t: TestContext): Promise<AlertsHarness> {
    const folder = tempFolder(t)
    const databaseUrl = `sqlite:${join(folder, 'slots.db')}`
    const store = await openStore(databaseUrl)
    t.after(() => store.close())
    return new AlertsHarness(t, { databaseUrl, store, receiver: await WebhookReceiver.open(t) })
  }

  get webhook(): NonNullable<AlertConfig['webhook']> {
    return { url: this.receiver.url, secrets: [SECRET] }
  }

  /** Another node on the same database, which alerts by webhook unless the settings differ. */
  async node(settings?: AlertConfig, given?: NodeParts): Promise<Alerts> {
    return (await this.nodeWithChannels(settings, given)).node
  }

  /** Like `node()`, with its alert channels. */
  async nodeWithChannels(
    settings: AlertConfig = { emails: [], webhook: this.webhook },
    given: NodeParts = {},
  ): Promise<{ node: Alerts; desk: AlertChannels }> {
    const store = await openStore(this.databaseUrl)
    const { smtpUrl, nodeSlots, wrap = (same) => same } = given
    const onEvent = (event: LogEvent) => void this.events.push(event)
    const mailer = smtpUrl && openMailer({ smtpUrl, mailFrom: 'slots@slots.example' }, onEvent)
    const now = () => this.nowMs
    const channels = openChannels({
      settings,
      mailer: mailer || undefined,
      dashboardUrl: DASHBOARD_URL,
      service: UNNAMED_SERVICE,
      allowPrivate: true,
      now,
    })
    const memory = nodeSlots && { memory: new NodeMemory('node-1'), read: nodeSlots }
    const alerts = new Alerts({ store: wrap(store), channels, clock: now, onEvent, node: memory })
    this.#t.after(async () => {
      await alerts.stop()
      if (mailer) await mailer.close()
      await store.close()
    })
    const { signal } = new AbortController()
    return { node: alerts, desk: new AlertChannels({ store, channels, alerts, clock: now, signal }) }
  }

  /** Sets the health of a source, which is created if needed. */
  async set(slug: string, health: SourceHealth, why = ''): Promise<void> {
    const url = `https://${slug}.example.org/`
    const source = (await this.store.sources.find(slug)) ?? (await this.store.sources.add({ slug, url, strict: false }))
    const from = this.#healths.get(slug) ?? 'never-synced'
    if (!(await this.store.health.record(source.id, { from, to: health, why, atMs: this.nowMs })))
      throw new Error(`Cannot set health: it is not ${from}`)
    this.#healths.set(slug, health)
  }

  /** The reported changes, as `slug: before > health`. */
  get reported(): string[][] {
    return this.receiver.received.map(({ body }) =>
      body.data.changes.map(({ source, before, health }) => `${source}: ${before} > ${health}`),
    )
  }

  pass(minutes: number): void {
    this.nowMs += minutes * MINUTE_MS
  }
}
