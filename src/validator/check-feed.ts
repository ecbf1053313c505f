import { FeedFailure } from '../feeds/connector.ts'
import { Directory } from '../feeds/fhir/directory.ts'
import { defined } from '../lib/optional.ts'
import type { Generation } from '../shared/check-report-labels.ts'
import type { Profile } from '../shared/conformance-labels.ts'
import type { CheckProgress, CheckReport } from '../shared/contract/feed-checks.ts'
import { RESOURCE_TYPES } from '../slot/slot.ts'
import { CheckedDraft } from './checked-draft.ts'
import { assessConformance } from './conformance/assess-conformance.ts'
import { probeFeed } from './conformance/probe-feed.ts'
import type { Feed } from './feed.ts'
import { FilesCheck } from './files-check.ts'
import { GenerationEvidence } from './generation-evidence.ts'
import { type CheckedPublication, checkManifest } from './manifest-check.ts'
import { PlanningHorizons } from './planning-horizons.ts'
import { CheckLimitReached, Progress, reasonOf } from './progress.ts'
import { References } from './references.ts'
import { countFindings, Findings, listFindings, REPORT_FILES_MAX } from './report.ts'
import { quote } from './rule.ts'
import { NOTED_PAGE_RULES } from './rules/bulk-publish-rules.ts'
import { FEED_RULES, NOTED_FEED_RULES } from './rules/feed-rules.ts'
import { MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'
import { Versions } from './versions.ts'

/** The options of a check. */
export interface CheckOptions {
  /** Read the feed strictly. */
  readonly strict?: boolean
  /** Count slots of test data as served. */
  readonly serveTestData?: boolean
  /** Overrides the detected generation. */
  readonly generation?: Generation
  /** Also assess the statements of this profile; the generation is then that of the guide by default. */
  readonly profile?: Profile | undefined
  /** Maximum number of findings shown per rule. */
  readonly examplesMax?: number
  /** Ends the check early; the report states the reason. */
  readonly signal?: AbortSignal
  /** Ends the check early after this many bytes. */
  readonly bytesMax?: number
  /** Duplicates are detected among this many slots. */
  readonly idsMax?: number
  readonly clock?: () => number
  readonly onProgress?: (progress: CheckProgress) => void
  /** Removes secrets from texts of the report: publishers may repeat them. */
  readonly redact?: (text: string) => string
}

/** Default number of findings shown per rule. */
export const EXAMPLES_MAX_DEFAULT = 5

/**
 * Reads a feed with the parsers of a sync and reports every problem. Never throws for the contents of a feed; memory is
 * bounded by the size of the feed's directory, as in a sync.
 */
export async function checkFeed(feed: Feed, options: CheckOptions = {}): Promise<CheckReport> {
  const check = new Check(feed, options)
  try {
    await check.run()
  } catch (error) {
    if (!check.isStopped(error)) throw error
  } finally {
    feed.close()
  }
  const report = check.report()
  return options.redact === undefined ? report : redacted(report, options.redact)
}

function redacted(report: CheckReport, redact: (text: string) => string): CheckReport {
  return JSON.parse(JSON.stringify(report), (_, value) => (typeof value === 'string' ? redact(value) : value))
}

class Check {
  readonly #feed: Feed
  readonly #options: CheckOptions
  readonly #clock: () => number
  readonly #startedAtMs: number
  readonly #findings: Findings
  readonly #draft: CheckedDraft
  readonly #directory: Directory
  readonly #references = new References()
  readonly #evidence = new GenerationEvidence()
  readonly #progress: Progress
  #publication: Publication | undefined
  #files: FilesCheck | undefined
  #probes = 0
  #unreadable: string | undefined
  #stopped: string | undefined

  constructor(feed: Feed, options: CheckOptions) {
    this.#feed = feed
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#startedAtMs = this.#clock()
    this.#findings = new Findings(options.examplesMax ?? EXAMPLES_MAX_DEFAULT, options.redact)
    this.#draft = new CheckedDraft(this.#findings, this.#startedAtMs, options)
    this.#progress = new Progress(options)
    this.#directory = new Directory('check', options.strict ?? false)
  }

  async run(): Promise<void> {
    const publication = await this.#readManifest()
    if (publication === undefined) return
    this.#publication = publication
    const { deleted, outcomes, isBulkPublish } = publication
    // The latest version of a resource counts, so it is read first.
    const files = isBulkPublish ? publication.files.toReversed() : publication.files
    const directoryFiles = files.filter(({ types }) => types.some((type) => type !== 'Slot'))
    const slotFiles = files.filter(({ types }) => types.includes('Slot'))
    this.#progress.readings = deleted.length + directoryFiles.length + slotFiles.length + outcomes.length
    const versions = isBulkPublish ? new Versions(this.#options.idsMax) : undefined
    const reading = this.#filesCheck(publication, versions)
    await reading.readDeletions(deleted)
    await reading.readResources(directoryFiles, 'directory')
    this.#assessDirectory(publication)
    await reading.readResources(slotFiles, 'slots')
    await reading.readOutcomes(outcomes)
    this.#assessFeed(publication, reading, versions)
    if (this.#options.profile !== undefined && publication.hasManifest)
      this.#probes = await probeFeed(this.#feed, publication, this.#findings)
  }

  /** True if the error ends the check early; the report states the reason. */
  isStopped(error: unknown): boolean {
    const { signal } = this.#options
    if (error instanceof CheckLimitReached) this.#stopped = error.message
    else if (signal?.aborted === true) this.#stopped = reasonOf(signal.reason)
    return this.#stopped !== undefined
  }

  report(): CheckReport {
    const report = this.#reportOfFindings()
    const { profile } = this.#options
    if (profile === undefined) return report
    const { hasManifest = false, pages = 0, isOpen = false } = this.#publication ?? {}
    const reading = {
      hasManifest,
      pages,
      isOpen,
      probes: this.#probes,
      files: [...(this.#files?.read.values() ?? [])],
    }
    return { ...report, conformance: assessConformance(profile, report, reading) }
  }

  #reportOfFindings(): CheckReport {
    const { strict = false } = this.#options
    const generation = this.#generation()
    const findings = listFindings(this.#findings, generation)
    const served = this.#draft.counts.view()
    const { rejected, withheld, superseded, directoryRejected, samples } = this.#draft
    const { slotLines = 0, directoryLines = 0, read = new Map() } = this.#files ?? {}
    return {
      feed: this.#feed.name,
      checkedAtMs: this.#startedAtMs,
      durationMs: this.#clock() - this.#startedAtMs,
      strict,
      ...defined({ generation }),
      evidence: this.#evidence.detect().evidence,
      ...defined({ unreadable: this.#unreadable, stopped: this.#stopped }),
      counts: countFindings(findings),
      findings,
      lines: {
        slots: slotLines,
        served: served.slots,
        rejected,
        withheld,
        superseded,
        directory: directoryLines,
        directoryRejected,
      },
      served,
      samples: samples.map((sample) => JSON.parse(sample)),
      files: [...read.values()].slice(0, REPORT_FILES_MAX),
      fileCount: read.size,
    }
  }

  #generation(): Generation | undefined {
    const { generation, profile } = this.#options
    return generation ?? (profile === undefined ? this.#evidence.detect().generation : 'stu1')
  }

  /** Undefined if the manifest is unreadable. */
  async #readManifest(): Promise<Publication | undefined> {
    const { strict = false, profile } = this.#options
    try {
      const opened = await this.#feed.open()
      if ('names' in opened) {
        const types = [...RESOURCE_TYPES].sort()
        const files = opened.names.map((url) => ({ url, types, page: 0 }))
        const rest = {
          deleted: [],
          outcomes: [],
          entries: new Map(),
          isPartial: false,
          isBulkPublish: false,
          pages: 0,
          isOpen: false,
        }
        return { files, ...rest, hasManifest: false }
      }
      const manifestOptions = { feed: this.#feed, findings: this.#findings, strict, profile, nowMs: this.#startedAtMs }
      const checked = await checkManifest(opened, manifestOptions, (reason) => this.#markUnreadable(reason))
      return checked === undefined ? undefined : { ...checked, hasManifest: true }
    } catch (error) {
      if (!(error instanceof FeedFailure)) throw error
      this.#findings.note(MANIFEST_UNREADABLE, { file: this.#feed.name }, error.message)
      this.#markUnreadable(error.message)
      return undefined
    }
  }

  #markUnreadable(reason: string): void {
    this.#unreadable ??= reason
  }

  #filesCheck(publication: Publication, versions: Versions | undefined): FilesCheck {
    const { entries, isBulkPublish, hasManifest } = publication
    const references = this.#references
    this.#files = new FilesCheck({
      feed: this.#feed,
      findings: this.#findings,
      draft: this.#draft,
      directory: this.#directory,
      references,
      horizons: new PlanningHorizons(),
      evidence: this.#evidence,
      nowMs: this.#startedAtMs,
      progress: this.#progress,
      entries,
      isBulkPublish,
      profile: this.#options.profile,
      ...defined({ versions }),
      assumesSchedules: () => !hasManifest && !references.has('Schedule'),
      fail: (reason) => this.#markUnreadable(reason),
    })
    return this.#files
  }

  #assessDirectory({ hasManifest }: Publication): void {
    const isPresent = (type: string) => hasManifest || this.#references.has(type)
    const missingTypes = this.#references.assess(this.#directory, this.#findings, isPresent)
    if (missingTypes.length > 0)
      this.#findings.note(
        NOTED_FEED_RULES.noTargets,
        { file: this.#feed.name },
        `${missingTypes.join(', ')}: not in the input`,
      )
  }

  /** Rules about the whole feed apply only if all of it was read: a folder may contain a part. */
  #assessFeed(publication: Publication, reading: FilesCheck, versions: Versions | undefined): void {
    const where = { file: this.#feed.name }
    const { fileMissing, noSchedules, idsFull } = NOTED_FEED_RULES
    const { hasManifest, isPartial: lacksPages } = publication
    const { slotLines, directoryLines, missing } = reading
    const assumesSchedules = !hasManifest && !this.#references.has('Schedule')
    if (missing > 0)
      this.#findings.note(fileMissing, where, `${missing} of ${this.#progress.readings} files are missing`)
    if (lacksPages) this.#findings.note(fileMissing, where, 'a further page of the manifest is missing')
    if (assumesSchedules && slotLines > 0) this.#findings.note(noSchedules, where, 'the input has no Schedules')
    if (this.#draft.isFull) this.#findings.note(idsFull, where, 'the feed has more slots')
    const { slots, byStatus, ended, stateless } = this.#draft.counts.view()
    const isEmpty = this.#unreadable === undefined && slotLines + directoryLines === 0
    const isPartial = (!hasManifest && slotLines === 0 && !isEmpty) || lacksPages
    const isComplete = this.#unreadable === undefined && !assumesSchedules && missing === 0 && !isPartial
    if (isComplete) this.#noteUnknownDeletions(versions)
    if (isComplete) this.#references.findUnused(this.#draft.counts, this.#findings)
    const { guideExtensions, olderExtensions } = this.#evidence
    const hasLocations = hasManifest || this.#references.has('Location')
    const { commonLink } = this.#draft.counts
    const subject = {
      slots,
      free: byStatus.free,
      upcoming: slots - ended,
      guideExtensions,
      olderExtensions,
      ...defined({ commonLink }),
    }
    if (isComplete || isEmpty || (slots > 0 && !assumesSchedules))
      this.#findings.applyAll(FEED_RULES, { ...subject, stateless: hasLocations ? stateless : 0 }, where)
  }
  #noteUnknownDeletions(versions: Versions | undefined): void {
    const unknown = versions?.unknownDeletions() ?? []
    for (const name of unknown)
      this.#findings.note(NOTED_PAGE_RULES.unknownDeletion, { file: this.#feed.name }, quote('entry.request.url', name))
  }
}

/** The files of the feed; without a manifest, missing resources are assumed to be elsewhere. */
type Publication = CheckedPublication & { readonly hasManifest: boolean }
