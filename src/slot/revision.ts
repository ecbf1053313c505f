/**
 * A position in the change log of a store: everything up to commit `revision`, and the rows of the next commit up to `within`.
 */
export interface Revision {
  /** Identifies the store and its epoch; revisions of other stores or epochs are not comparable. */
  readonly store: number
  readonly revision: number
  readonly within?: CommitPosition
}

/** A row of a commit. Rows are ordered: deleted ones first, then inserted ones, each by key. */
export interface CommitPosition {
  readonly phase: 'deleted' | 'inserted'
  readonly key: number
}

/**
 * A revision as opaque text for callers: digits, lower-case letters and dots, at most 33 characters. Its numbers must be below 36^10,
 * about 51 bits.
 */
export function formatRevision({ store, revision, within }: Revision): string {
  const commit = `${store.toString(36)}.${revision.toString(36)}`
  return within === undefined ? commit : `${commit}.${PHASE_LETTERS[within.phase]}${within.key.toString(36)}`
}

/** Part of the public revision format: must not change. */
const PHASE_LETTERS = { deleted: 'd', inserted: 'b' } as const satisfies Record<CommitPosition['phase'], string>

const NUMBER = '(?:0|[1-9a-z][0-9a-z]{0,9})'

/** Matches exactly the texts of `formatRevision()`. */
export const REVISION_FORM = new RegExp(`^${NUMBER}\\.${NUMBER}(?:\\.[bd]${NUMBER})?$`)

/** The inverse of `formatRevision()`; undefined for any other text. */
export function parseRevision(text: string): Revision | undefined {
  if (!REVISION_FORM.test(text)) return undefined
  const [store, revision, within] = text.split('.')
  const commit = { store: Number.parseInt(store, 36), revision: Number.parseInt(revision, 36) }
  if (within === undefined) return commit
  const phase = within.startsWith('d') ? 'deleted' : 'inserted'
  return { ...commit, within: { phase, key: Number.parseInt(within.slice(1), 36) } }
}
