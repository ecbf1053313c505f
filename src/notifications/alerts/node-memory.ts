import { hasPassed, MINUTE_MS } from '../../lib/time.ts'
import type { NodeAlert } from '../../store/contracts/alerts.ts'

/** The slots of a node. */
export interface NodeSlots {
  readonly slots: number
  /** Slots of the store that do not fit into its memory. */
  readonly missingSlots: number
}

/** How long the memory of a node must be full, or no longer, before it is reported. */
const NODE_ALERT_AFTER_MS = 5 * MINUTE_MS

/**
 * Remembers whether the memory of this node is full, since when, and what was reported. Not in the store: a node may have another name
 * after a restart. So a restarted node reports full memory again, and never that an earlier report is resolved.
 */
export class NodeMemory {
  readonly #name: string
  #state: NodeAlert['memory'] = 'ok'
  #sinceMs = 0
  #reported: NodeAlert['memory'] = 'ok'

  /** `name`: of the node. */
  constructor(name: string) {
    this.#name = name
  }

  /** The change to report, if there is one that has lasted. Call `noteReported()` once it is recorded. */
  due({ slots, missingSlots }: NodeSlots, nowMs: number): NodeAlert | undefined {
    const state = missingSlots > 0 ? 'full' : 'ok'
    if (state !== this.#state) {
      this.#state = state
      this.#sinceMs = nowMs
    }
    const sinceMs = this.#sinceMs
    if (state === this.#reported || !hasPassed(NODE_ALERT_AFTER_MS, { sinceMs, nowMs })) return undefined
    return { node: this.#name, memory: state, sinceMs, slots, missingSlots }
  }

  noteReported({ memory }: NodeAlert): void {
    this.#reported = memory
  }
}
