/** A page of a list by keyset pagination: at most `limit` rows that follow a position. */
export interface PageRequest {
  readonly limit: number
  /** Absent: from the start. */
  readonly after?: ListPosition
}

/** The sort key of a row: lists are ordered by rank, then time, then id. */
export interface ListPosition {
  readonly rank: number
  readonly atMs: number
  readonly id: string
}
