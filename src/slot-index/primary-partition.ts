// Hot path

import { anyModeOf, bucketOfState, groupNumber, stateOfBucket } from './buckets.ts'
import { groupIn } from './index-state.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import { type PostingList, PostingListBuilder } from './posting-list.ts'
import { STATUS_NUMBERS } from './slot-rows.ts'
import { SnapshotReader } from './snapshot-reader.ts'

/**
 * The slots of a moment in parts by state, each slot in one: those of every status that are at home in a state, or in none
 * (`undefined`), ended ones included; by status, then start and id. Looks at every slot of the state once, at about 3 ns.
 */
export function readPartition(snapshot: IndexSnapshot, state: string | undefined): SnapshotReader {
  const { rows, offerings } = snapshot.state
  const bucket = bucketOfState(state)
  const isHere = new Uint8Array(offerings.end)
  for (let offering = 0; offering < offerings.end; offering++) {
    if (offerings.traits[offering] !== undefined && anyModeOf(offerings.primaryBuckets[offering]) === bucket)
      isHere[offering] = 1
  }
  const found = new PostingListBuilder()
  for (const list of partitionLists(snapshot, state)) {
    for (const chunk of list.chunks) {
      for (const row of chunk) if (isHere[rows.offeringOf(row)] === 1) found.push(row)
    }
  }
  const list = found.build()
  return new SnapshotReader(snapshot, { list, from: 0, to: list.length })
}

/** What such a part is made of, one list a status: a part has changed only if one of them is another than before. */
export function partitionLists({ groups }: IndexSnapshot, state: string | undefined): readonly PostingList[] {
  const bucket = bucketOfState(state)
  return STATUS_NUMBERS.map((status) => groupIn(groups, groupNumber(bucket, status)).all)
}

/**
 * The states in which slots are at home, and for each all states of these slots' offerings, in alphabetical order; one of
 * them may have no slots left.
 */
export function partitionStates({
  state: { offerings },
}: IndexSnapshot): Map<string | undefined, readonly string[]> {
  const statesOfBucket = new Map<number, Set<string>>()
  for (let offering = 0; offering < offerings.end; offering++) {
    const traits = offerings.traits[offering]
    if (traits === undefined) continue
    const primaryBucket = offerings.primaryBuckets[offering]
    const states = statesOfBucket.get(primaryBucket) ?? new Set<string>()
    statesOfBucket.set(primaryBucket, states)
    for (const state of traits.states) states.add(state)
  }
  const byState = new Map<string | undefined, readonly string[]>()
  for (const [primaryBucket, states] of statesOfBucket) {
    const state = stateOfBucket(primaryBucket)
    byState.set(state, [...new Set([...(byState.get(state) ?? []), ...states])].sort())
  }
  return byState
}
