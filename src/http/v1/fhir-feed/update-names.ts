import { clip } from '../../../slot/query-parameter.ts'
import { formatRevision, parseRevision, type Revision } from '../../../slot/revision.ts'
import { Problem } from '../../problem.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'

/** The folders of the chain of updates below the path of the feed. */
export const UPDATES_FOLDER = 'updates/'
export const UPDATE_FILES_FOLDER = 'update-files/'

/**
 * A page of the chain that the manifest begins. `manifest`: more files of it. `pending`: without files; its `next` is the update after
 * `after`, once there is one. Otherwise a page of an update.
 */
export type UpdatePageName =
  | ({ readonly kind: 'manifest' } & ManifestPageName)
  | { readonly kind: 'pending'; readonly after: CommitRevision }
  | ({ readonly kind: 'update' } & UpdatePageRange)

/** A page of the manifest of a snapshot. */
export interface ManifestPageName {
  readonly snapshot: CommitRevision
  /** Of the listed files: see `FeedFiles`. */
  readonly variant: string
  /** From 2 on. */
  readonly page: number
}

/** A position between two commits. */
export type CommitRevision = Pick<Revision, 'store' | 'revision'>

/** A page of the changes after a commit, as of a later commit of the same store: see `updateEnd()`. */
export interface UpdatePageRange {
  readonly after: CommitRevision
  readonly until: number
  /** From 1 on. */
  readonly page: number
}

/**
 * Where the update ends that follows a revision: at the newest or before it. Updates are aligned: their length is the largest power of two
 * that divides their beginning and fits. So among n commits there are fewer than 2 n updates, each commit is in log2(n) of them, and a
 * reader that is n commits behind needs at most 2 log2(n).
 */
export function updateEnd(after: number, newest: number): number {
  let length = 1
  while (after % (2 * length) === 0 && after + 2 * length <= newest) length *= 2
  return after + length
}

/** In the order in which their files are listed. */
export const UPDATE_FILE_TYPES = [...DIRECTORY_TYPES, 'Slot', 'deleted'] as const
export type UpdateFileType = (typeof UPDATE_FILE_TYPES)[number]

export interface UpdateFileName extends UpdatePageRange {
  readonly type: UpdateFileType
  /** See `FeedProvenance.variantOf()`. */
  readonly variant: string
}

/** `manifest~1.2f~k3x0~2.json`, `1.2f.json`, `1.2f~2h.json` or `1.2f~2h~2.json`. */
export function formatUpdatePage(page: UpdatePageName): string {
  if (page.kind === 'manifest') return `manifest~${formatRevision(page.snapshot)}~${page.variant}~${page.page}.json`
  return `${page.kind === 'pending' ? formatRevision(page.after) : formatRange(page)}.json`
}

/** `Slot~1.2f~2h~k3x0.ndjson` or `Slot~1.2f~2h~2~k3x0.ndjson`. */
export function formatUpdateFile({ type, variant, ...range }: UpdateFileName): string {
  return `${type}~${formatRange(range)}~${variant}.ndjson`
}

/** The inverse of `formatUpdatePage()`; undefined for any other text. */
export function parseUpdatePage(name: string): UpdatePageName | undefined {
  const manifest = MANIFEST_PAGE.exec(name)?.groups
  const snapshot = parseCommit(manifest?.snapshot)
  if (manifest !== undefined && snapshot !== undefined)
    return { kind: 'manifest', snapshot, variant: manifest.variant, page: Number(manifest.page) }
  const { after: start, until: end, page = '1' } = PAGE.exec(name)?.groups ?? {}
  const after = parseCommit(start)
  if (after === undefined) return undefined
  if (end === undefined) return { kind: 'pending', after }
  const until = Number.parseInt(end, 36)
  return until === updateEnd(after.revision, until) ? { kind: 'update', after, until, page: Number(page) } : undefined
}

/** The inverse of `formatUpdateFile()`; undefined for any other text. */
export function parseUpdateFile(name: string): UpdateFileName | undefined {
  const parts = FILE.exec(name)?.groups
  const type = UPDATE_FILE_TYPES.find((each) => each === parts?.type)
  const range = parseUpdatePage(`${parts?.range}.json`)
  if (parts === undefined || type === undefined || range?.kind !== 'update') return undefined
  const { after, until, page } = range
  return { type, after, until, page, variant: parts.variant }
}

/** No page or file of updates can have this name. */
export function noSuchUpdate(name: string): Problem {
  return new Problem('not-found', `There is no update "${clip(name)}". The manifest of the feed links to its updates.`)
}

const MANIFEST_PAGE =
  /^manifest~(?<snapshot>[0-9a-z.]{1,40})~(?<variant>[0-9a-z]{4})~(?<page>[2-9]|[1-9][0-9]{1,5})\.json$/
const PAGE =
  /^(?<after>[0-9a-z.]{1,40})(?:~(?<until>[1-9a-z][0-9a-z]{0,9})(?:~(?<page>[2-9]|[1-9][0-9]{1,5}))?)?\.json$/
const FILE = /^(?<type>[A-Za-z]+)~(?<range>[0-9a-z.~]{1,60})~(?<variant>[0-9a-z]{4})\.ndjson$/

function parseCommit(text = ''): CommitRevision | undefined {
  const revision = parseRevision(text)
  return revision?.within === undefined ? revision : undefined
}

function formatRange({ after, until, page }: UpdatePageRange): string {
  const range = `${formatRevision(after)}~${until.toString(36)}`
  return page === 1 ? range : `${range}~${page}`
}
