import { clip } from '../../../slot/query-parameter.ts'
import { formatRevision, parseRevision, type Revision } from '../../../slot/revision.ts'
import { Problem } from '../../problem.ts'
import { FORMAT } from './feed-file.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'

/** The folders of the chain of updates below the path of the feed. */
export const UPDATES_FOLDER = 'updates/'
export const UPDATE_FILES_FOLDER = 'update-files/'

/**
 * A page of the chain of updates. `pending`: without files; its `next` is the update after `after`, once there is one. Otherwise a part of
 * the update from `after` to the commit `until`.
 */
export type UpdatePageName =
  | { readonly kind: 'pending'; readonly after: Revision }
  | ({ readonly kind: 'update' } & UpdateRange)

/** The changes after a position, as of a later commit of the same store. */
export interface UpdateRange {
  readonly after: Revision
  readonly until: number
}

/** In the order in which their files are listed. */
export const UPDATE_FILE_TYPES = [...DIRECTORY_TYPES, 'Slot', 'deleted'] as const
export type UpdateFileType = (typeof UPDATE_FILE_TYPES)[number]

export interface UpdateFileName extends UpdateRange {
  readonly type: UpdateFileType
}

/** `1.2f.json` or `1.2f~2h.json`. */
export function formatUpdatePage(page: UpdatePageName): string {
  return `${page.kind === 'pending' ? formatRevision(page.after) : formatRange(page)}.json`
}

/** `Slot~1.2f~2h~k3x0.ndjson`. */
export function formatUpdateFile({ type, ...range }: UpdateFileName): string {
  return `${type}~${formatRange(range)}~${FORMAT}.ndjson`
}

/** The inverse of `formatUpdatePage()`; undefined for any other text. */
export function parseUpdatePage(name: string): UpdatePageName | undefined {
  const { after: start = '', until: end } = PAGE.exec(name)?.groups ?? {}
  const after = parseRevision(start)
  if (after === undefined) return undefined
  if (end === undefined) return after.within === undefined ? { kind: 'pending', after } : undefined
  const until = Number.parseInt(end, 36)
  return until > after.revision ? { kind: 'update', after, until } : undefined
}

/** The inverse of `formatUpdateFile()`, of this version of the service; undefined for any other text. */
export function parseUpdateFile(name: string): UpdateFileName | undefined {
  const parts = FILE.exec(name)?.groups ?? {}
  const type = UPDATE_FILE_TYPES.find((each) => each === parts.type)
  const page = parseUpdatePage(`${parts.range}.json`)
  if (type === undefined || page?.kind !== 'update' || parts.format !== FORMAT) return undefined
  return { type, after: page.after, until: page.until }
}

/** No page or file of updates can have this name. */
export function noSuchUpdate(name: string): Problem {
  return new Problem('not-found', `There is no update "${clip(name)}". The manifest of the feed links to its updates.`)
}

const PAGE = /^(?<after>[0-9a-z.]{1,40}?)(?:~(?<until>0|[1-9a-z][0-9a-z]{0,9}))?\.json$/
const FILE = /^(?<type>[A-Za-z]+)~(?<range>[0-9a-z.~]{1,60})~(?<format>[0-9a-z]{4})\.ndjson$/

function formatRange({ after, until }: UpdateRange): string {
  return `${formatRevision(after)}~${until.toString(36)}`
}
