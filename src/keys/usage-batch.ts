/** What was counted since the last drain. Keys are known by id; a latency is counted in a bucket of `LATENCY_BOUNDS_US`. */
export interface UsageBatch {
  readonly requests: readonly {
    readonly keyId: string
    readonly hourMs: number
    readonly status: number
    readonly count: number
  }[]
  readonly latencies: readonly {
    readonly keyId: string
    readonly hourMs: number
    readonly bucket: number
    readonly count: number
  }[]
  /** The newest requests of each key, oldest first. */
  readonly recent: readonly (RecentRequest & { readonly keyId: string })[]
  /** When each key was last used. */
  readonly lastUsed: ReadonlyMap<string, number>
}

/** One request as a key's page shows it. */
export interface RecentRequest {
  readonly atMs: number
  readonly method: string
  /** The request target, cut after 500 characters. */
  readonly target: string
  readonly status: number
  readonly durationUs: number
  readonly requestId: string
}
