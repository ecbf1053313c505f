/** An event for the log of the node. Plain data, so that a worker thread can post it. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error'
  /** Fixed, in lower case, in the past tense; everything variable is in `fields`. */
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}
