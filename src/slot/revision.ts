/**
 * A moment in the past of a store: all that was committed up to `revision`, and of the commit after it what stands up to
 * `within`, if that is there.
 */
export interface Revision {
  /** Tells a store, and one history of it, from all others: another one's revisions mean something else. */
  readonly store: number
  readonly revision: number
  readonly within?: PlaceInCommit
}

/** A row of a commit, whose rows have an order: first those that died of it, then those that were born, each by key. */
export interface PlaceInCommit {
  readonly phase: 'died' | 'born'
  readonly key: number
}

/** A revision as text for callers, who are to hand it back as it is: digits, small letters and dots, 36 characters at most. */
export function formatRevision({ store, revision, within }: Revision): string {
  const commit = `${store.toString(36)}.${revision.toString(36)}`
  return within === undefined ? commit : `${commit}.${within.phase.charAt(0)}${within.key.toString(36)}`
}

/** The revision that `formatRevision()` made a text of; undefined for any other text. */
export function parseRevision(text: string): Revision | undefined {
  const parts = FORM.exec(text)?.groups
  if (parts === undefined) return undefined
  const commit = { store: Number.parseInt(parts.store, 36), revision: Number.parseInt(parts.revision, 36) }
  const read: Revision =
    parts.key === undefined
      ? commit
      : {
          ...commit,
          within: { phase: parts.phase === 'd' ? 'died' : 'born', key: Number.parseInt(parts.key, 36) },
        }
  const numbers = [read.store, read.revision, read.within?.key ?? 0]
  // What was written otherwise, as with leading zeros, was not written here.
  return numbers.every(Number.isSafeInteger) && formatRevision(read) === text ? read : undefined
}

/** 2^53 has eleven digits to the base of 36. */
const FORM =
  /^(?<store>[0-9a-z]{1,11})\.(?<revision>[0-9a-z]{1,11})(?:\.(?<phase>[db])(?<key>[0-9a-z]{1,11}))?$/
