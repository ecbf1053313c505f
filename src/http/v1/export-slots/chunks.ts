/** What is sent piece by piece, out of memory that is used again for each. */
export interface Pieces {
  /** False once what it is read from is gone: it cannot be sent to its end then. */
  readonly isOpen: boolean
  /** The next bytes, good until the next call; none if it needs another turn, undefined at the end. Some tenths of a millisecond of work. */
  next(): Buffer | undefined
  /** Lets go of what it is read from; again changes nothing. */
  close(): void
}
