import type { Steps } from '../lib/steps.ts'
import { SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import { FilterPlanner } from './matching/filter-plan.ts'
import { OfferingTable } from './offerings/offering-table.ts'
import type { PackedOfferings } from './offerings/pack-offerings.ts'
import { type Levels, NO_RUNS } from './runs/levels.ts'
import { PageWriter } from './runs/page-writer.ts'
import { RunSums } from './runs/run-sums.ts'
import type { SlotForm } from './runs/slot-texts.ts'
import type { SharedHorizons } from './shared-horizons.ts'

/** A committed revision and the number of the store it belongs to. */
export interface CommittedRevision {
  readonly store: number
  readonly revision: number
  /** When it was committed, in milliseconds since 1970: see `RevisionDelta`. */
  readonly atMs: number
}

/** Texts that rows share: see `SlotTexts`. */
export interface RowTexts {
  readonly forms: readonly SlotForm[]
  readonly prefixes: readonly string[]
}

/** The tables that the rows of an index refer to. They only grow, so that all states since the last full load share it. */
export class IndexTables {
  readonly offerings = new OfferingTable()
  readonly planner = new FilterPlanner(this.offerings)
  readonly runSums = new RunSums()
  /** In the order in which they were put. */
  readonly packed: PackedOfferings[] = []
  readonly forms: readonly SlotForm[]
  readonly prefixes: readonly string[]
  /** By status. */
  readonly writers: readonly PageWriter[]

  constructor({ forms, prefixes }: RowTexts) {
    this.forms = forms
    this.prefixes = prefixes
    this.writers = SLOT_STATUSES.map((status) => new PageWriter(this, status))
  }

  *put(offerings: PackedOfferings): Steps<void> {
    this.packed.push(offerings)
    yield* this.offerings.put(offerings)
  }
}

/** One committed state of an index: immutable. */
export interface IndexContent {
  readonly tables: IndexTables
  /** The runs by status number. */
  readonly levels: readonly Levels[]
  /** The revision at which the slots of a state last changed, by the term of the state: see `OfferingTable.homeOf`. */
  readonly homeRevisions: ReadonlyMap<number, number>
  /** The revision at which the store last deleted offerings without slots. */
  readonly lastDrop: number
  /** By publisher. */
  readonly horizons: ReadonlyMap<string, SharedHorizons>
  readonly committed: CommittedRevision
  /** Slots of the store that are left out because memory is full. */
  readonly missing: number
}

export function emptyContent(texts: RowTexts = { forms: [], prefixes: [] }): IndexContent {
  return {
    tables: new IndexTables(texts),
    levels: SLOT_STATUSES.map(() => NO_RUNS),
    homeRevisions: new Map(),
    lastDrop: 0,
    horizons: new Map(),
    committed: { store: 0, revision: 0, atMs: 0 },
    missing: 0,
  }
}

/** The number of each status. */
export const STATUS_NUMBER = Object.fromEntries(SLOT_STATUSES.map((status, number) => [status, number])) as Record<
  SlotStatus,
  number
>
