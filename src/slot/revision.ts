/**
 * A moment in the past of a store: all that was committed up to `revision`, and of the commit after it what stands up to
 * `within`, if that is there.
 */
export interface Revision {
  /** Tells a store, and one history of it, from all others: another one's revisions mean something else. */
  readonly store: number
  readonly revision: number
  readonly within?: CommitPosition
}

/** A row of a commit, whose rows have an order: first those that died of it, then those that were born, each by key. */
export interface CommitPosition {
  readonly phase: 'died' | 'born'
  readonly key: number
}

/**
 * A revision as text for callers, who are to hand it back as it is: digits, small letters and dots, 33 characters at most.
 * Its numbers must be below 36^10, which are more than 51 bits, and more revisions and rows than there will be.
 */
export function formatRevision({ store, revision, within }: Revision): string {
  const commit = `${store.toString(36)}.${revision.toString(36)}`
  return within === undefined ? commit : `${commit}.${within.phase.charAt(0)}${within.key.toString(36)}`
}

const NUMBER = '(?:0|[1-9a-z][0-9a-z]{0,9})'

/** What such a text looks like; any that does is one. */
export const REVISION_FORM = new RegExp(`^${NUMBER}\\.${NUMBER}(?:\\.[bd]${NUMBER})?$`)

/** The revision that `formatRevision()` made a text of; undefined for any other text. */
export function parseRevision(text: string): Revision | undefined {
  if (!REVISION_FORM.test(text)) return undefined
  const [store, revision, within] = text.split('.')
  const commit = { store: Number.parseInt(store, 36), revision: Number.parseInt(revision, 36) }
  if (within === undefined) return commit
  const phase = within.startsWith('d') ? 'died' : 'born'
  return { ...commit, within: { phase, key: Number.parseInt(within.slice(1), 36) } }
}
