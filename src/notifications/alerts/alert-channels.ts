import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../lib/text.ts'
import type { AlertChannelView, AlertTestView } from '../../shared/contract/operator.ts'
import type { AlertChannelState } from '../../store/contracts/alerts.ts'
import type { Store } from '../../store/contracts/store.ts'
import { type AlertChannel, SEND_MS_MAX } from './alert-channel.ts'
import { redactReason } from './alert-messages.ts'
import type { Alerts } from './alerts.ts'

interface AlertChannelsOptions {
  readonly store: Pick<Store, 'alerts'>
  readonly channels: readonly AlertChannel[]
  /** The sender of this node; absent without channels. */
  readonly alerts: Pick<Alerts, 'errorOf'> | undefined
  readonly clock: () => number
  /** Aborts tests. */
  readonly signal: AbortSignal
}

/** The delivery status of this node's alert channels, and tests of them. */
export class AlertChannels {
  readonly #options: AlertChannelsOptions
  /** Concurrent callers share one test. */
  #testing: Promise<AlertTestView[]> | undefined

  constructor(options: AlertChannelsOptions) {
    this.#options = options
  }

  async list(): Promise<AlertChannelView[]> {
    const { store, channels, alerts } = this.#options
    if (channels.length === 0) return []
    const states = new Map((await store.alerts.channels()).map((state) => [state.channel, state]))
    return channels.map((channel) => {
      const error = alerts?.errorOf(channel.name)
      return { ...viewOf(channel, states.get(channel.name)), ...(error && { error }) }
    })
  }

  test(): Promise<AlertTestView[]> {
    this.#testing ??= this.#test().finally(() => {
      this.#testing = undefined
    })
    return this.#testing
  }

  async #test(): Promise<AlertTestView[]> {
    const { channels, clock, signal } = this.#options
    const tests = await testChannels(channels, clock(), signal)
    return tests.map(({ channel: { kind, to }, why }) => ({
      kind,
      to,
      delivered: why === undefined,
      ...(why !== undefined && { why }),
    }))
  }
}

function viewOf({ kind, to }: AlertChannel, state: AlertChannelState | undefined): AlertChannelView {
  if (state === undefined) return { kind, to, waiting: 0 }
  const { channel: _, ...rest } = state
  return { kind, to, ...rest }
}

/** The result of a test alert. */
interface ChannelTest {
  readonly channel: AlertChannel
  /** Why it was not delivered, without secrets; absent if it was. */
  readonly why?: string
}

/** Sends a test alert to every channel at the same time. Never rejects; an abort ends webhooks. */
export function testChannels(
  channels: readonly AlertChannel[],
  createdAtMs: number,
  signal?: AbortSignal,
): Promise<ChannelTest[]> {
  const signals = [AbortSignal.timeout(SEND_MS_MAX), ...(signal === undefined ? [] : [signal])]
  return Promise.all(channels.map((channel) => testChannel(channel, createdAtMs, AbortSignal.any(signals))))
}

async function testChannel(channel: AlertChannel, createdAtMs: number, signal: AbortSignal): Promise<ChannelTest> {
  const alert = { key: randomUUID(), changes: [], createdAtMs, isTest: true }
  try {
    await channel.send(alert, signal)
    return { channel }
  } catch (error) {
    return { channel, why: redactReason(errorMessage(error)) }
  }
}
