import { shortHash } from '../../../slot/ids.ts'
import { formatRevision, parseRevision, type Revision } from '../../../slot/revision.ts'
import { DIRECTORY_TYPES, type FeedDirectoryType } from './published-resource.ts'

/** A file of the feed: the directory resources of one type, or the slots whose primary partition is one state or none. */
export type FeedFile =
  | { readonly type: FeedDirectoryType }
  | { readonly type: 'Slot'; readonly state: string | undefined }

/** A file at a revision. */
export interface FileAt {
  readonly file: FeedFile
  readonly revision: Revision
  /** See `FeedProvenance.variantOf()`. */
  readonly variant: string
}

/** The last segment of its URL: `Slot-MA~1.2f~k3x0.ndjson`, `Slot~1.2f~k3x0.ndjson`, `Location~1.2f~k3x0.ndjson`. */
export function formatFileName({ file, revision, variant }: FileAt): string {
  return `${labelOf(file)}~${formatRevision(revision)}~${variant}.ndjson`
}

/** Part of a name: distinguishes what content that never changes depends on beside the slots. */
export function variantName(parts: readonly string[]): string {
  return shortHash(JSON.stringify(parts)).slice(0, 4)
}

/** Unique among the files of the feed. */
export function labelOf(file: FeedFile): string {
  return file.type === 'Slot' && file.state !== undefined ? `Slot-${file.state}` : file.type
}

/** The inverse of `formatFileName()`, of any version of this service; undefined for any other text. */
export function parseFileName(name: string): FileAt | undefined {
  const parts = FORM.exec(name)?.groups
  const revision = parts === undefined ? undefined : parseRevision(parts.revision)
  const file = parts === undefined ? undefined : fileOf(parts.type, parts.state)
  if (parts === undefined || file === undefined || revision === undefined || revision.within !== undefined)
    return undefined
  return { file, revision, variant: parts.variant }
}

const FORM =
  /^(?<type>[A-Za-z]+)(?:-(?<state>[A-Z]{2}(?:-[A-Z0-9]{1,3})?))?~(?<revision>[0-9a-z.]{1,40})~(?<variant>[0-9a-z]{4})\.ndjson$/

function fileOf(type: string, state: string | undefined): FeedFile | undefined {
  if (type === 'Slot') return { type, state }
  const known = DIRECTORY_TYPES.find((each) => each === type)
  return known === undefined || state !== undefined ? undefined : { type: known }
}
