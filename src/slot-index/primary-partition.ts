// Hot path

import { anyModeOf, bucketOfState, groupIn, groupNumber, stateOfBucket } from './buckets.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import { type PostingList, PostingListBuilder } from './posting-list.ts'
import { STATUS_NUMBERS } from './slot-rows.ts'
import { SnapshotReader } from './snapshot-reader.ts'

/**
 * Reads one partition of a snapshot: the slots of all statuses whose primary bucket is of a state (`undefined`: of none),
 * ended ones included, by status, start and id. Each slot is in exactly one partition. Scans the state's slots at 3 ns each.
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

/** The lists that a partition is made from, one per status: it has changed only if one of them is a different object. */
export function partitionLists({ groups }: IndexSnapshot, state: string | undefined): readonly PostingList[] {
  const bucket = bucketOfState(state)
  return STATUS_NUMBERS.map((status) => groupIn(groups, groupNumber(bucket, status)).all)
}

/**
 * The states that have a partition, each with all states of its offerings in alphabetical order. A partition may have no
 * slots left.
 */
export function partitionStates({ state: { offerings } }: IndexSnapshot): Map<string | undefined, readonly string[]> {
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
