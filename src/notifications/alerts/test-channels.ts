import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../lib/text.ts'
import { type AlertWay, SEND_MS_MAX } from './alert-channel.ts'
import { tellableWhy } from './alert-messages.ts'

/** What became of a test by one way. */
export interface TriedWay {
  readonly way: AlertWay
  /** Why it did not arrive, without secrets; absent if it did. */
  readonly why?: string
}

/** Sends a test by each way, once, all at the same time. Never throws: that one does not work is an answer. An abort ends webhooks. */
export function tryWays(
  ways: readonly AlertWay[],
  createdAtMs: number,
  signal?: AbortSignal,
): Promise<TriedWay[]> {
  const signals = [AbortSignal.timeout(SEND_MS_MAX), ...(signal === undefined ? [] : [signal])]
  return Promise.all(ways.map((way) => tryWay(way, createdAtMs, AbortSignal.any(signals))))
}

async function tryWay(way: AlertWay, createdAtMs: number, signal: AbortSignal): Promise<TriedWay> {
  const alert = { key: randomUUID(), changes: [], createdAtMs, isTest: true }
  try {
    await way.send(alert, signal)
    return { way }
  } catch (thrown) {
    return { way, why: tellableWhy(errorMessage(thrown)) }
  }
}
