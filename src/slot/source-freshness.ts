/** What callers may know of a source beside its slots. Times are milliseconds since 1970. */
export interface SourceFreshness {
  /** The publisher's name in our addresses and answers. */
  readonly slug: string
  /** What people call the publisher. */
  readonly name?: string
  /** It is not looked at for now. */
  readonly paused: boolean
  /** How many looks at it in a row failed. */
  readonly failures: number
  /** When it could last be read. */
  readonly lookedAtMs?: number
  /** When the publisher says that what we hold is from. */
  readonly publishedAtMs?: number
  /** When what we hold of it last changed. */
  readonly changedAtMs?: number
  /** When it is looked at next, unless it is paused. */
  readonly nextSyncAtMs: number
}
