import type { AlertChannelView, AlertTestView } from '../../shared/contract/operator.ts'
import type { AlertChannelState } from '../../store/contracts/alerts.ts'
import type { Store } from '../../store/contracts/store.ts'
import type { AlertWay } from './alert-channel.ts'
import type { Alerts } from './alerts.ts'
import { tryWays } from './test-channels.ts'

/** What is needed to say how alerts go. */
export interface WaysDeskParts {
  readonly store: Pick<Store, 'alerts'>
  readonly ways: readonly AlertWay[]
  /** What this node sends by; absent where there is no way. */
  readonly alerts: Pick<Alerts, 'faultOf'> | undefined
  readonly clock: () => number
  /** Ends tests. */
  readonly signal: AbortSignal
}

/** How alerts go by the ways of this node, and tests by them. */
export class WaysDesk {
  readonly #parts: WaysDeskParts
  #testing: Promise<AlertTestView[]> | undefined

  constructor(parts: WaysDeskParts) {
    this.#parts = parts
  }

  async list(): Promise<AlertChannelView[]> {
    const { store, ways, alerts } = this.#parts
    if (ways.length === 0) return []
    const states = new Map((await store.alerts.channels()).map((state) => [state.channel, state]))
    return ways.map((way) => {
      const fault = alerts?.faultOf(way.name)
      return { ...viewWay(way, states.get(way.name)), ...(fault && { fault }) }
    })
  }

  test(): Promise<AlertTestView[]> {
    this.#testing ??= this.#test().finally(() => {
      this.#testing = undefined
    })
    return this.#testing
  }

  async #test(): Promise<AlertTestView[]> {
    const { ways, clock, signal } = this.#parts
    const tried = await tryWays(ways, clock(), signal)
    return tried.map(({ way: { kind, to }, why }) => ({
      kind,
      to,
      arrived: why === undefined,
      ...(why !== undefined && { why }),
    }))
  }
}

function viewWay({ kind, to }: AlertWay, state: AlertChannelState | undefined): AlertChannelView {
  if (state === undefined) return { kind, to, waiting: 0 }
  const { channel: _, ...rest } = state
  return { kind, to, ...rest }
}
