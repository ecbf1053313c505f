/** A resource of a feed that publishes updates, and where it was read. */
export interface StoredResource extends ResourceIdentity {
  /** The id of the Schedule that a Slot refers to. */
  readonly schedule?: string
  readonly file: string
  readonly line: number
  readonly json: string
}

/** The identity of a resource within its feed. */
export interface ResourceIdentity {
  readonly type: string
  readonly id: string
}

/** Where the resources of a file are in a set: their keys, with others between them. */
export interface FilePlace {
  readonly file: string
  readonly firstKey: number
  readonly lastKey: number
}

/** `puts` replace resources of the same type and id. No resource is in both. */
export interface ResourceChanges {
  readonly puts: readonly StoredResource[]
  readonly removes: readonly ResourceIdentity[]
}

/**
 * The resources of a source, which the slots of its snapshot were made of: an update of a feed changes some of them.
 *
 *     stored set ──startOver()──> new set, empty      invisible until `commit({ resources: 'new' })` replaces the stored set
 *
 * Reads and writes concern the new set once there is one. `commit({ resources: changes })` changes the stored set.
 */
export interface ResourceWriter {
  /** The last snapshot was committed with its resources. */
  readonly areStored: boolean
  /** Begins a new set. */
  startOver(): Promise<void>
  /** Changes the new set, in one short transaction. Returns the key of the first of the puts; the others follow. */
  write(changes: ResourceChanges): Promise<number>
  /** At most 5,000 keys per call; in any order. */
  find(keys: readonly ResourceIdentity[]): Promise<StoredResource[]>
  /** The resources of a type, by id. */
  readType(type: string): AsyncIterable<readonly StoredResource[]>
  /** The resources of a type in the new set, in the order in which each was first put: faster for millions. */
  readNew(type: string): AsyncIterable<readonly StoredResource[]>
  /** The resources of a file in the stored set, as far as they were not replaced by others. */
  readFile(place: FilePlace): AsyncIterable<readonly StoredResource[]>
  /** The Slots that refer to a Schedule. */
  readSlotsOf(schedule: string): AsyncIterable<readonly StoredResource[]>
}
