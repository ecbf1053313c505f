import { setTimeout as sleep } from 'node:timers/promises'
import { type Connector, FeedFailure, type Source } from '../../feeds/connector.ts'
import type { FilesOptions } from '../../feeds/files/connector.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { ImportReport } from '../../shared/contract/imports.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { SourceState } from '../../store/contracts/sources.ts'
import { NameTaken, type Store } from '../../store/contracts/store.ts'
import type { RejectionSample } from '../rejection-sample.ts'
import { type SyncRun, syncSource } from '../sync-source.ts'
import { DryDraft } from './dry-draft.ts'
import { GatheredImport } from './gathered-import.ts'

/** Which file is to become what a source has. */
export interface ImportWish extends Omit<FilesOptions, 'notes'> {
  readonly slug: string
  /** Read all and change nothing. */
  readonly dryRun: boolean
  /** Who brings it, as the log of sources tells once it is taken in. */
  readonly by?: AuditActor
}

export interface ImportParts {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Told once, if somebody else is reading the source: the import waits for them. */
  readonly onBusy?: () => void
}

/** Nothing is imported: the source is fed in another way. The message says which. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/**
 * Makes a file the whole of what a source has, as a sync would: in one commit at the end, or not at all. The source is made
 * if there is none. Throws `ImportRefused` for a source that is no source of files, and if the store fails; a file that cannot
 * be read is an outcome.
 */
export async function importFile(parts: ImportParts, wish: ImportWish): Promise<ImportReport> {
  const before = await parts.store.sources.find(wish.slug)
  if (before !== undefined && before.format !== 'files') throw refusal(before)
  return wish.dryRun ? tryFile(parts, wish, before) : takeFile(parts, wish, before)
}

function refusal({ slug, format, url }: SourceState): ImportRefused {
  return new ImportRefused(
    `Cannot import: the source must be one of files: got "${slug}", which is ${format}, read from ${url}`,
  )
}

async function tryFile(
  { clock, signal }: ImportParts,
  wish: ImportWish,
  before: SourceState | undefined,
): Promise<ImportReport> {
  const startedAtMs = clock()
  const draft = new DryDraft()
  const gathered = new GatheredImport(wish)
  const source: Source = {
    slug: wish.slug,
    format: 'files',
    url: '',
    options: {},
    strict: before?.strict ?? false,
  }
  const error = await gathered.connector.read(source, draft, signal).then(
    () => undefined,
    (fault) => {
      if (fault instanceof FeedFailure) return fault.message
      throw fault
    },
  )
  const { read, slots, withheld, rejections } = draft
  return {
    slug: wish.slug,
    dryRun: true,
    outcome: error !== undefined ? 'failed' : rejections.count > 0 ? 'partial' : 'ok',
    ...(error !== undefined && { error }),
    ...gathered.said(error === undefined ? slots : undefined),
    read,
    slots,
    rejected: rejections.count,
    withheld,
    ...(before && { slotsBefore: before.slotCount }),
    rejections: rejections.kept,
    durationMs: clock() - startedAtMs,
  }
}

async function takeFile(
  parts: ImportParts,
  wish: ImportWish,
  before: SourceState | undefined,
): Promise<ImportReport> {
  const { sources } = parts.store
  const { slug } = wish
  const gathered = new GatheredImport(wish)
  const { run, source } = await readWhenFree(parts, wish, gathered.connector)
  const { outcome, durationMs, withheld, added, changed, removed, error } = run.outcome
  // What a person brings is never held for a second yes.
  const isTaken = outcome === 'ok' || outcome === 'partial'
  const { allRejected } = gathered
  const { read, rejected } = allRejected ? countsOf(allRejected) : run.outcome
  const slots = read - rejected - withheld
  const rejections = isTaken ? await sources.rejections(source.id) : (allRejected?.kept ?? [])
  // A file that could not be read leaves nothing behind, not even an empty source.
  if (!isTaken && before === undefined && !(await isFed(sources, slug))) await sources.remove(slug)
  return {
    slug,
    dryRun: false,
    outcome: isTaken ? outcome : 'failed',
    ...(error !== undefined && { error }),
    ...gathered.said(isTaken ? slots : undefined),
    read,
    slots,
    rejected,
    withheld,
    ...(before && { slotsBefore: before.slotCount }),
    ...(isTaken && { changes: { added, changed, removed } }),
    rejections,
    durationMs,
  }
}

function countsOf({ count }: RejectionSample): { read: number; rejected: number } {
  return { read: count, rejected: count }
}

/** Somebody else brought a file for the same new source meanwhile. */
async function isFed(sources: Store['sources'], slug: string): Promise<boolean> {
  return ((await sources.find(slug))?.slotCount ?? 0) > 0
}

/** How often to look whether another process has finished reading. */
const LOOK_EVERY_MS = 250

/** Beyond the year 9999, which no answer can tell: a file is read when it is brought, and never again by itself. */
const NEVER_MS = 10_000 * 365 * DAY_MS

async function readWhenFree(
  { store, clock, signal, onBusy }: ImportParts,
  { slug, by }: ImportWish,
  connector: Connector,
): Promise<{ run: SyncRun; source: SourceState }> {
  const parts = { store, connectorOf: () => connector, clock, random: Math.random, everyMsDefault: NEVER_MS }
  for (let tries = 0; ; tries++) {
    // Also while waiting: whoever made it takes it away again if their file cannot be read.
    const source = await findOrAdd(store, slug)
    const run = await syncSource(parts, slug, { signal, importedBy: by })
    if (run !== undefined) return { run, source }
    if (tries === 0) onBusy?.()
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

async function findOrAdd({ sources }: Store, slug: string): Promise<SourceState> {
  const found = await sources.find(slug)
  if (found !== undefined) return found
  try {
    return await sources.add({ slug, format: 'files', url: '', strict: false })
  } catch (fault) {
    const source = fault instanceof NameTaken ? await sources.find(slug) : undefined
    if (source === undefined) throw fault
    if (source.format !== 'files') throw refusal(source)
    return source
  }
}
