/** Something an operator may want to know, told by a thread: plain, so that it can be posted to another thread. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error'
  /** Fixed, in lower case, in the past tense; everything variable is in `fields`. */
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}
