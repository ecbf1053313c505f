// Hot path

import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import { matchRows } from '../matching/matched-rows.ts'
import { term } from '../offerings/term-names.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import { SnapshotReader } from './snapshot-reader.ts'

/**
 * Reads one partition of a snapshot: the slots of all statuses whose home is a state (`undefined`: none), ended ones included, by
 * status, start and id. Each slot is in exactly one partition. Tests the state's slots at 3 ns each.
 */
export function* readPartition(snapshot: IndexSnapshot, state: string | undefined): Steps<SnapshotReader> {
  const { content, open } = snapshot
  const { offerings } = content.tables
  const home = homeTerm(snapshot, state)
  const isHere = new Uint32Array((offerings.end >>> 5) + 1)
  for (let offering = 0; offering < offerings.end; offering++) {
    if (offerings.homeOf.values[offering] === home) isHere[offering >>> 5] |= 1 << (offering & 31)
    if ((offering & STEP_MASK) === 0) yield
  }
  const parts = []
  for (const status of SLOT_STATUSES) {
    const filters = { status, startAfterMs: Number.NEGATIVE_INFINITY }
    const extra = home === undefined ? { tests: [isHere] } : { terms: [home], tests: [isHere] }
    parts.push({ status, matches: yield* matchRows(content, open, filters, extra) })
  }
  return new SnapshotReader(snapshot, parts)
}

/** The revision at which a slot of a partition was last added, changed or removed; 0 if there are none. */
export function partitionRevision(snapshot: IndexSnapshot, state: string | undefined): number {
  const home = homeTerm(snapshot, state)
  return home === undefined ? 0 : (snapshot.content.homeRevisions.get(home) ?? 0)
}

function homeTerm({ content }: IndexSnapshot, state: string | undefined): number | undefined {
  return content.tables.offerings.terms.find(state === undefined ? term.noState : term.state(state))
}

/**
 * The states that have a partition, each with all states of its offerings in alphabetical order. A partition may have no
 * slots left.
 */
export function* partitionStates({ content }: IndexSnapshot): Steps<Map<string | undefined, readonly string[]>> {
  const { offerings } = content.tables
  const statesOfHome = new Map<number, Set<string>>()
  for (let offering = 0; offering < offerings.end; offering++) {
    if ((offering & STATES_STEP_MASK) === 0) yield
    const home = offerings.homeOf.values[offering]
    const states = statesOfHome.get(home) ?? new Set<string>()
    statesOfHome.set(home, states)
    for (const state of offerings.statesOf(offering)) states.add(state)
  }
  const byState = new Map<string | undefined, readonly string[]>()
  for (const [home, states] of statesOfHome) byState.set(stateOf(offerings.terms.textOf(home)), [...states].sort())
  return byState
}

/** The publishers of the slots of each partition that has slots. `used`: see `usedOfferings()`. */
export function* partitionPublishers(
  { content }: IndexSnapshot,
  used: Uint8Array,
): Steps<Map<string | undefined, ReadonlySet<string>>> {
  const { homeOf, publisherOf, publishers, terms } = content.tables.offerings
  const numbersOfHome = new Map<number, Set<number>>()
  for (let offering = 0; offering < used.length; offering++) {
    if ((offering & STEP_MASK) === 0) yield
    if (used[offering] === 0) continue
    const home = homeOf.values[offering]
    const numbers = numbersOfHome.get(home) ?? new Set<number>()
    numbersOfHome.set(home, numbers.add(publisherOf.values[offering]))
  }
  return new Map(
    [...numbersOfHome].map(([home, numbers]) => {
      return [stateOf(terms.textOf(home)), new Set([...numbers].map((number) => publishers.textOf(number)))]
    }),
  )
}

/** Of a home term. */
function stateOf(name: string): string | undefined {
  return name === term.noState ? undefined : name.slice(1)
}

/** The names of an offering's terms are compared. */
const STATES_STEP_MASK = 63
