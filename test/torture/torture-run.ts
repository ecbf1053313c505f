import type { ChangingPublisher } from './changing-publisher.ts'
import type { Figures } from './figures.ts'
import type { Outages } from './outages.ts'
import type { ServedVersions } from './served-versions.ts'
import type { TortureNode } from './torture-node.ts'

/** The shared state of a run. */
export interface TortureRun {
  readonly nodes: readonly TortureNode[]
  readonly publisher: ChangingPublisher
  readonly served: ServedVersions
  readonly outages: Outages
  readonly figures: Figures
  /** Aborted at the end of the run. */
  readonly signal: AbortSignal
}

/** A random node that is ready; undefined if none is. */
export function anyReady(nodes: readonly TortureNode[]): TortureNode | undefined {
  const ready = nodes.filter((node) => node.isReady)
  return ready[Math.floor(Math.random() * ready.length)]
}
