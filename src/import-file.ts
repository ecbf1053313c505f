import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportReport } from './account/import-report.ts'
import { DryDraft } from './dry-draft.ts'
import { SlotSamples } from './slot-samples.ts'
import { type Connector, FeedFailure, type Source } from './sources/connector.ts'
import { type FilesOptions, files } from './sources/files/connector.ts'
import { FileNotes } from './sources/files/file-notes.ts'
import type { SourceState } from './store/source-store.ts'
import type { Store } from './store/store.ts'
import { type SyncRun, syncSource } from './sync/sync-source.ts'

/** Which file is to become what a source has. */
export interface ImportWish extends Omit<FilesOptions, 'notes'> {
  readonly slug: string
  /** Read all and change nothing. */
  readonly dryRun: boolean
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

/** What is gathered beside the slots while a file is read. */
class Gathered {
  readonly notes = new FileNotes()
  readonly samples = new SlotSamples()
  readonly connector: Connector

  constructor(wish: ImportWish) {
    const connector = files({ ...wish, notes: this.notes })
    this.connector = {
      read: (source, draft, signal) => connector.read(source, this.samples.watch(draft), signal),
    }
  }

  /** `slots`: how many there were; undefined if the file could not be read. */
  said(slots: number | undefined): Pick<ImportReport, 'format' | 'resources' | 'notes' | 'samples'> {
    const { format, resources, sentences } = this.notes
    const notes = slots === 0 ? ['It holds no slot at all.', ...sentences] : sentences
    return { ...(format && { format }), resources, notes, samples: this.samples.shown }
  }
}

async function tryFile(
  { clock, signal }: ImportParts,
  wish: ImportWish,
  before: SourceState | undefined,
): Promise<ImportReport> {
  const startedAtMs = clock()
  const draft = new DryDraft()
  const gathered = new Gathered(wish)
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
  const source = before ?? (await sources.add({ slug, format: 'files', url: '', strict: false }))
  const gathered = new Gathered(wish)
  const run = await readWhenFree(parts, slug, gathered.connector)
  const { outcome, durationMs, read, rejected, withheld, added, changed, removed, error } = run.outcome
  // What a person brings is never held for a second yes.
  const isTaken = outcome === 'ok' || outcome === 'partial'
  const slots = read - rejected - withheld
  const rejections = isTaken ? await sources.rejections(source.id) : []
  // A file that could not be read leaves nothing behind, not even an empty source.
  if (!isTaken && before === undefined) await sources.remove(slug)
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

/** How often to look whether another process has finished reading. */
const LOOK_EVERY_MS = 250

/** Beyond the year 9999, which no answer can tell: a file is read when it is brought, and never again by itself. */
const NEVER_MS = 10_000 * 365 * 86_400_000

async function readWhenFree(
  { store, clock, signal, onBusy }: ImportParts,
  slug: string,
  connector: Connector,
): Promise<SyncRun> {
  const parts = { store, connectorOf: () => connector, clock, random: Math.random, everyMsDefault: NEVER_MS }
  for (let tries = 0; ; tries++) {
    const run = await syncSource(parts, slug, { signal })
    if (run !== undefined) return run
    if (tries === 0) onBusy?.()
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}
