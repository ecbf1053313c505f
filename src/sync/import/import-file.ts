import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Connector,
  FeedFailure,
  type Origin,
  type Rejected,
  type SnapshotDraft,
  type Source,
} from '../../feeds/connector.ts'
import type { FilesOptions } from '../../feeds/files/connector.ts'
import { IdSet } from '../../feeds/id-set.ts'
import { duplicateRejection, RejectionSample } from '../../feeds/rejections.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { ImportReport } from '../../shared/contract/imports.ts'
import { encoded, type Slot } from '../../slot/slot.ts'
import { isTestData } from '../../slot/test-data.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { SourceState } from '../../store/contracts/sources.ts'
import { NameTaken, type Store } from '../../store/contracts/store.ts'
import { type RecordingDependencies, recordFailure, type SyncRun, syncSource } from '../sync-source.ts'
import { GatheredImport } from './gathered-import.ts'

/** The file to import and its source. */
export interface ImportOptions extends Omit<FilesOptions, 'notes'> {
  readonly slug: string
  /** Reads the whole file and changes nothing. */
  readonly dryRun: boolean
  /** Who imports it, for the source log. */
  readonly by?: AuditActor
  /** The owner of the lease: see `recordEndedImport()`. */
  readonly owner?: string
}

interface ImportDependencies {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Slots of all sources together; absent for no limit. */
  readonly slotsMax?: number | undefined
  readonly signal: AbortSignal
  /** Called once if another process is reading the source; the import waits for it. */
  readonly onBusy?: () => void
}

/** The source is not fed from files; nothing is imported. The message names its feed. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/**
 * Replaces the slots of a source with the contents of a file, in one commit. Adds the source if it does not exist. Throws
 * `ImportRefused` if the source has another format; an unreadable file is an outcome.
 */
export async function importFile(dependencies: ImportDependencies, options: ImportOptions): Promise<ImportReport> {
  const before = await dependencies.store.sources.find(options.slug)
  if (before !== undefined && before.format !== 'files') throw refusal(before)
  return options.dryRun ? checkFile(dependencies, options, before) : importSlots(dependencies, options, before)
}

/** Ends an import whose process ended: what it wrote is deleted, and a source that it added. */
export async function recordEndedImport(
  dependencies: Pick<ImportDependencies, 'store' | 'clock'>,
  { slug, isNew, ...ended }: { slug: string; isNew: boolean; owner: string; startedAtMs: number; reason: Error },
): Promise<void> {
  const { sources } = dependencies.store
  const run = await recordFailure(recordingOf(dependencies), slug, { ...ended, interrupted: true })
  if (run !== undefined && isNew && !(await hasSlots(sources, slug))) await sources.remove(slug)
}

function refusal({ slug, format, url }: SourceState): ImportRefused {
  return new ImportRefused(
    `Cannot import into ${slug}: it is a source of format ${format}, read from ${url}. Use another slug.`,
  )
}

async function checkFile(
  { clock, signal }: ImportDependencies,
  options: ImportOptions,
  before: SourceState | undefined,
): Promise<ImportReport> {
  const startedAtMs = clock()
  const draft = new DryDraft(before?.options.serveTestData)
  const gathered = new GatheredImport(options)
  const source: Source = {
    slug: options.slug,
    format: 'files',
    url: '',
    options: before?.options ?? {},
    strict: before?.strict ?? false,
  }
  const error = await gathered.connector.read(source, draft, signal).then(
    () => undefined,
    (error) => {
      if (error instanceof FeedFailure) return error.message
      throw error
    },
  )
  const { read, slots, withheld, rejections } = draft
  return {
    slug: options.slug,
    dryRun: true,
    outcome: error !== undefined ? 'failed' : rejections.count > 0 ? 'partial' : 'ok',
    ...(error !== undefined && { error }),
    ...gathered.report(error === undefined ? slots : undefined),
    read,
    slots,
    rejected: rejections.count,
    withheld,
    ...(before && { slotsBefore: before.slotCount }),
    rejections: rejections.kept,
    ...(await gathered.rejectedRows(rejections.kept, signal)),
    durationMs: clock() - startedAtMs,
  }
}

async function importSlots(
  dependencies: ImportDependencies,
  options: ImportOptions,
  before: SourceState | undefined,
): Promise<ImportReport> {
  const { sources } = dependencies.store
  const { slug } = options
  const gathered = new GatheredImport(options)
  const { run, source } = await readWhenFree(dependencies, options, gathered.connector)
  const { outcome, durationMs, withheld, added, changed, removed, error } = run.outcome
  const isImported = outcome === 'ok' || outcome === 'partial'
  const { allRejected } = gathered
  const { read, rejected } = allRejected ? countsOf(allRejected) : run.outcome
  const slots = read - rejected - withheld
  const rejections = isImported ? await sources.rejections(source.id) : (allRejected?.kept ?? [])
  // An unreadable file must not leave an empty source behind.
  if (!isImported && before === undefined && !(await hasSlots(sources, slug))) await sources.remove(slug)
  return {
    slug,
    dryRun: false,
    outcome: isImported ? outcome : 'failed',
    ...(error !== undefined && { error }),
    ...gathered.report(isImported ? slots : undefined),
    read,
    slots,
    rejected,
    withheld,
    ...(before && { slotsBefore: before.slotCount }),
    ...(isImported && { changes: { added, changed, removed } }),
    rejections,
    ...(await gathered.rejectedRows(rejections, dependencies.signal)),
    durationMs,
  }
}

function countsOf({ count }: RejectionSample): { read: number; rejected: number } {
  return { read: count, rejected: count }
}

/** Another import into the same new source may have succeeded in the meantime. */
async function hasSlots(sources: Store['sources'], slug: string): Promise<boolean> {
  return ((await sources.find(slug))?.slotCount ?? 0) > 0
}

const POLL_EVERY_MS = 250

/** Beyond the year 9999, so that an imported file is never synced again. */
const NEVER_MS = 10_000 * 365 * DAY_MS

async function readWhenFree(
  { store, clock, slotsMax, signal, onBusy }: ImportDependencies,
  { slug, by, owner }: ImportOptions,
  connector: Connector,
): Promise<{ run: SyncRun; source: SourceState }> {
  const dependencies = { ...recordingOf({ store, clock, slotsMax }), connectorOf: () => connector }
  for (let tries = 0; ; tries++) {
    // Added again on each attempt, because a failed concurrent import removes the source that it added.
    const source = await findOrAdd(store, slug)
    const run = await syncSource(dependencies, slug, { signal, importedBy: by, ...(owner !== undefined && { owner }) })
    if (run !== undefined) return { run, source }
    if (tries === 0) onBusy?.()
    await sleep(POLL_EVERY_MS, undefined, { signal })
  }
}

function recordingOf(dependencies: Pick<ImportDependencies, 'store' | 'clock' | 'slotsMax'>): RecordingDependencies {
  return { ...dependencies, random: Math.random, everyMsDefault: NEVER_MS }
}

async function findOrAdd({ sources }: Store, slug: string): Promise<SourceState> {
  const found = await sources.find(slug)
  if (found !== undefined) return found
  try {
    return await sources.add({ slug, format: 'files', url: '', strict: false })
  } catch (error) {
    const source = error instanceof NameTaken ? await sources.find(slug) : undefined
    if (source === undefined) throw error
    if (source.format !== 'files') throw refusal(source)
    return source
  }
}

/** About 100 MB. Duplicates of further slots count as slots. */
const DRY_IDS_MAX = 4_000_000

/** A draft for dry runs: counts as a sync would, and stores only ids (24 bytes each) and a sample of the rejections. */
class DryDraft implements SnapshotDraft {
  readonly state = undefined
  readonly rejections = new RejectionSample()
  slots = 0
  withheld = 0
  readonly #ids = new IdSet(DRY_IDS_MAX)
  readonly #servesTestData: boolean

  constructor(servesTestData = false) {
    this.#servesTestData = servesTestData
  }

  get resources(): never {
    throw new Error('Cannot keep resources: files have no updates')
  }

  get read(): number {
    return this.slots + this.withheld + this.rejections.count
  }

  startUpdate(): never {
    throw new Error('Cannot update: files have no updates')
  }

  async recall(): Promise<void> {}

  keep(): boolean {
    return false
  }

  keepPart(): boolean {
    return false
  }

  put(slot: Slot, origin: Origin): void {
    if (!this.#servesTestData && isTestData(slot.offering)) this.withhold()
    else if (this.#ids.add(slot.id)) this.slots++
    else this.reject(duplicateRejection(encoded(slot), origin))
  }

  reject(rejected: Rejected): void {
    this.rejections.add(rejected)
  }

  withhold(): void {
    this.withheld++
  }

  async flush(): Promise<void> {}
}
