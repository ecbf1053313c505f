// Hot path: every request that shows a live key is counted here.
import { KeyUsage, type MeteredExchange, type UsageDraft } from './key-usage.ts'
import { mergeUsage } from './merge-usage.ts'
import type { UsageBatch } from './usage-batch.ts'
import { UsageTotals } from './usage-totals.ts'

/** A key whose requests are counted. */
export interface MeteredKey {
  readonly id: string
  /** The meter's own: where they are counted while there are any. */
  usage: KeyUsage | undefined
}

/**
 * Counts what each key is used for, in memory: a request costs a few additions and no memory. What was counted is
 * drained, and given back if it could not be written.
 *
 * A key takes room from its first request on, until a drain finds it without any.
 */
export class UsageMeter {
  /** Of all that was counted, as of the last drain. */
  readonly totals = new UsageTotals()
  #inUse: MeteredKey[] = []
  #givenBack: UsageBatch | undefined

  /** Counts a request that was answered. `durationUs`: the time inside the service, in whole microseconds. */
  note(key: MeteredKey, exchange: MeteredExchange, atMs: number, durationUs: number): void {
    let usage = key.usage
    if (usage === undefined) {
      usage = new KeyUsage(key.id)
      key.usage = usage
      this.#inUse.push(key)
    }
    usage.note(exchange, atMs, durationUs)
  }

  /** All that was counted since the last drain, and what was given back. Undefined if that is nothing. */
  drain(): UsageBatch | undefined {
    const draft: UsageDraft = { requests: [], latencies: [], recent: [], lastUsed: new Map() }
    this.#inUse = this.#inUse.filter((key) => {
      const isUsed = key.usage !== undefined && key.usage.noted > 0
      if (isUsed) key.usage?.drainInto(draft)
      else key.usage = undefined
      return isUsed
    })
    this.totals.add(draft)
    const givenBack = this.#givenBack
    this.#givenBack = undefined
    if (givenBack !== undefined) return mergeUsage(givenBack, draft)
    return draft.lastUsed.size === 0 ? undefined : draft
  }

  /** Takes over what another meter of the node counted: it is drained with the next. */
  takeOver(batch: UsageBatch): void {
    this.totals.add(batch)
    this.giveBack(batch)
  }

  /** Takes back what could not be written: it is drained again, with the next. */
  giveBack(batch: UsageBatch): void {
    this.#givenBack = this.#givenBack === undefined ? batch : mergeUsage(batch, this.#givenBack)
  }
}
