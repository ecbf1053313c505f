import type { ChangingPublisher } from './changing-publisher.ts'
import type { Figures } from './figures.ts'
import type { Shown } from './shown.ts'
import type { TortureNode } from './torture-node.ts'
import type { Troubles } from './troubles.ts'

/** What all who take part see. */
export interface Scene {
  readonly nodes: readonly TortureNode[]
  readonly publisher: ChangingPublisher
  readonly shown: Shown
  readonly troubles: Troubles
  readonly figures: Figures
  /** Aborted when it is over. */
  readonly signal: AbortSignal
}

/** One that may be asked now; undefined if there is none. */
export function anyReady(nodes: readonly TortureNode[]): TortureNode | undefined {
  const ready = nodes.filter((node) => node.isReady)
  return ready[Math.floor(Math.random() * ready.length)]
}
