import type { ConnectorsOptions } from '../feeds/connectors.ts'
import type { AllowedHosts } from '../feeds/http/allowed-hosts.ts'
import type { CheckedSource } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import type { Profile } from '../shared/conformance-labels.ts'
import type { CheckProgress, CheckReport } from '../shared/contract/feed-checks.ts'
import type { ImportReport } from '../shared/contract/imports.ts'
import type { SourceCheck } from '../shared/contract/sources.ts'
import type { ImportOptions } from '../sync/import/import-file.ts'
import type { SyncDependencies, SyncRun } from '../sync/sync-source.ts'
import type { ThreadOperations } from './supervised-worker.ts'

/** The operations of an isolated process, one at a time. Aborted, it replies with what it has so far. */
export interface IsolatedOperations extends ThreadOperations {
  /** Comes before the first sync. Replies when the process has loaded its code. */
  configure(options: SyncJobOptions): void
  sync(job: { readonly slug: string; readonly owner: string }): SyncRun | undefined
  check(job: CheckJob): CheckReport
  /** Reads only the manifest. */
  manifest(job: Pick<CheckJob, 'url' | 'allowPrivate' | 'allowedHosts'>): SourceCheck
  import(job: ImportJob): { readonly report: ImportReport } | { readonly refused: string }
}

/** The operations of its parent. */
export interface IsolatedParent {
  progress(progress: CheckProgress): void
}

/** The settings that all syncs of a process share. */
export interface SyncJobOptions extends ConnectorsOptions, Pick<SyncDependencies, 'everyMsDefault' | 'slotsMax'> {
  readonly databaseUrl: string
}

export interface CheckJob extends CheckLimits {
  readonly url: string
  readonly strict: boolean
  readonly profile?: Profile | undefined
  readonly allowPrivate: boolean
  readonly allowedHosts?: AllowedHosts
  /** The source to check instead of the URL alone. */
  readonly source?: CheckedSource
  /** The values of `${SOURCE_…}` in its options. */
  readonly secrets: Readonly<Record<string, string>>
}

/** A check that reaches a limit ends with what it has found so far. */
export interface CheckLimits {
  readonly wholeMs: number
  /** Of all files, uncompressed. */
  readonly bytesMax: number
}

/** The file is `FILE_DESCRIPTOR` of the process. */
export interface ImportJob extends Omit<ImportOptions, 'file'> {
  readonly databaseUrl: string
  /** Slots of all sources together. */
  readonly slotsMax?: number | undefined
  readonly fileName: string
  /** Of its lease. */
  readonly owner: string
}

/** The descriptor that an isolated process inherits, after those of standard input, output, error and the channel. */
export const FILE_DESCRIPTOR = 4
