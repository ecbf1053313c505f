import { FeedFailure } from '../feeds/connector.ts'
import { DirectorySize } from '../feeds/directory-size.ts'
import { Directory } from '../feeds/fhir/directory.ts'
import { type LineBatch, readLines } from '../feeds/http/lines.ts'
import { DirectoryLineReader, SlotLineReader } from '../feeds/smart-links/line-reader.ts'
import { FILE_TYPES, type ListedFile } from '../feeds/smart-links/manifest.ts'
import { asObject, type Json } from '../lib/json.ts'
import type { Generation } from '../shared/check-report-labels.ts'
import type { CheckedFile, CheckProgress, CheckReport } from '../shared/contract/feed-checks.ts'
import { CheckedDraft, type Pass } from './checked-draft.ts'
import type { Feed, OpenedFile } from './feed.ts'
import { FileCheck, ObservedBody } from './file-check.ts'
import { GenerationEvidence } from './generation-evidence.ts'
import { checkManifest } from './manifest-check.ts'
import { CheckLimitReached, Progress, reasonOf } from './progress.ts'
import { References } from './references.ts'
import { countFindings, Findings, listFindings, REPORT_FILES_MAX } from './report.ts'
import { FEED_RULES, NOTED_FEED_RULES } from './rules/feed-rules.ts'
import { FILE_RULES, LISTED_RULES, type ListedSubject } from './rules/file-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'
import { MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'

/** The options of a check. */
export interface CheckOptions {
  /** Read the feed strictly. */
  readonly strict?: boolean
  /** Overrides the detected generation. */
  readonly generation?: Generation
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
  readonly #read = new Map<string, CheckedFile>()
  readonly #unreadableFiles = new Set<string>()
  /** The manifest entry of each file. */
  readonly #entries = new Map<string, Json>()
  readonly #progress: Progress
  /** Without a manifest, missing resources are assumed to be elsewhere. */
  #hasNoManifest = false
  #assumesSchedules = false
  #unreadable: string | undefined
  #stopped: string | undefined
  #slotLines = 0
  #directoryLines = 0
  readonly #directorySize = new DirectorySize()
  #missing = 0

  constructor(feed: Feed, options: CheckOptions) {
    this.#feed = feed
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#startedAtMs = this.#clock()
    this.#findings = new Findings(options.examplesMax ?? EXAMPLES_MAX_DEFAULT, options.redact)
    this.#draft = new CheckedDraft(this.#findings, this.#startedAtMs, options.idsMax)
    this.#progress = new Progress(options)
    this.#directory = new Directory('check', options.strict ?? false)
  }

  async run(): Promise<void> {
    const files = await this.#listFiles()
    if (files === undefined) return
    const directoryFiles = files.filter(({ types }) => types.some((type) => type !== 'Slot'))
    const slotFiles = files.filter(({ types }) => types.includes('Slot'))
    this.#progress.readings = directoryFiles.length + slotFiles.length
    for (const file of directoryFiles) await this.#readFile(file, 'directory')
    this.#assessDirectory()
    for (const file of slotFiles) await this.#readFile(file, 'slots')
    this.#assessFeed()
  }

  /** True if the error ends the check early; the report states the reason. */
  isStopped(error: unknown): boolean {
    const { signal } = this.#options
    if (error instanceof CheckLimitReached) this.#stopped = error.message
    else if (signal?.aborted === true) this.#stopped = reasonOf(signal.reason)
    return this.#stopped !== undefined
  }

  report(): CheckReport {
    const { generation = this.#evidence.detect().generation, strict = false } = this.#options
    const findings = listFindings(this.#findings, generation)
    const served = this.#draft.counts.view()
    const { rejected, withheld, directoryRejected, samples } = this.#draft
    return {
      feed: this.#feed.name,
      checkedAtMs: this.#startedAtMs,
      durationMs: this.#clock() - this.#startedAtMs,
      strict,
      ...(generation !== undefined && { generation }),
      evidence: this.#evidence.detect().evidence,
      ...(this.#unreadable !== undefined && { unreadable: this.#unreadable }),
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
      counts: countFindings(findings),
      findings,
      lines: {
        slots: this.#slotLines,
        served: served.slots,
        rejected,
        withheld,
        directory: this.#directoryLines,
        directoryRejected,
      },
      served,
      samples: samples.map((sample) => JSON.parse(sample)),
      files: [...this.#read.values()].slice(0, REPORT_FILES_MAX),
      fileCount: this.#read.size,
    }
  }

  /** Undefined if the manifest is unreadable. */
  async #listFiles(): Promise<readonly ListedFile[] | undefined> {
    const { strict = false } = this.#options
    try {
      const opened = await this.#feed.open()
      if ('names' in opened) {
        this.#hasNoManifest = true
        this.#assumesSchedules = true
        return opened.names.map((url) => ({ url, types: [...FILE_TYPES].sort() }))
      }
      const manifestOptions = {
        feed: this.#feed,
        findings: this.#findings,
        strict,
        nowMs: this.#startedAtMs,
        entries: this.#entries,
      }
      return await checkManifest(opened, manifestOptions, (reason) => this.#markUnreadable(reason))
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

  async #readFile(file: ListedFile, pass: Pass): Promise<void> {
    this.#progress.reading++
    if (this.#unreadableFiles.has(file.url)) return
    try {
      const opened = await this.#feed.openFile(file.url)
      if (opened === undefined) this.#missing++
      else await this.#readOpened(file, pass, opened)
    } catch (error) {
      if (!(error instanceof FeedFailure)) throw error
      this.#unreadableFiles.add(file.url)
      this.#findings.note(FILE_UNREADABLE, { file: file.url }, error.message)
      this.#markUnreadable(error.message)
    }
  }

  async #readOpened(file: ListedFile, pass: Pass, opened: OpenedFile): Promise<void> {
    const listed = { ...file, url: opened.name, part: 0 }
    const check = new FileCheck(this.#fileOptions(), listed, opened.name, pass)
    const directoryLines = new DirectoryLineReader(listed, this.#directory, this.#draft, this.#directorySize)
    const slotLines = new SlotLineReader(listed, this.#directory, this.#draft, false)
    const body = new ObservedBody()
    this.#draft.statesFound.clear()
    const passOn = (batch: LineBatch) => (pass === 'slots' ? slotLines : directoryLines).take(batch)
    let before = { bytes: 0, lines: 0, slotLines: 0 }
    for await (const batch of readLines(body.observe(opened.body))) {
      check.take(batch, passOn)
      this.#slotLines += check.slotLines - before.slotLines
      if (pass === 'directory') this.#directoryLines += check.lines - before.lines
      const read = { lines: batch.lines.length, bytes: body.bytes - before.bytes }
      this.#progress.advance(opened.name, read, this.#findings.errors)
      before = { bytes: body.bytes, lines: check.lines, slotLines: check.slotLines }
    }
    // A file of several types is read twice but reported once.
    if (this.#read.has(opened.name)) return
    const { lines, blankLines } = check
    this.#read.set(opened.name, { name: opened.name, types: file.types, lines, bytes: body.bytes })
    const where = { file: opened.name }
    this.#findings.applyAll(FILE_RULES, { body, blankLines, lines }, where)
    const entry = this.#entries.get(file.url)
    if (entry !== undefined) this.#findings.applyAll(LISTED_RULES, this.#listed(entry, file.types, check), where)
    if (opened.http !== undefined)
      this.#findings.applyAll(HTTP_RULES, { role: 'file', ...opened.http, bytes: body.bytes }, where)
  }

  #listed(entry: Json, types: readonly string[], { lines, typesFound }: FileCheck): ListedSubject {
    const statesNamed = [asObject(entry.extension)?.state ?? []].flat()
    return { entry, types, lines, typesFound, statesNamed, statesFound: this.#draft.statesFound }
  }

  #fileOptions() {
    return {
      findings: this.#findings,
      draft: this.#draft,
      directory: this.#directory,
      references: this.#references,
      evidence: this.#evidence,
      nowMs: this.#startedAtMs,
      assumesSchedules: this.#assumesSchedules,
    }
  }

  #assessDirectory(): void {
    if (this.#references.has('Schedule')) this.#assumesSchedules = false
    const isPresent = (type: string) => !this.#hasNoManifest || this.#references.has(type)
    const missingTypes = this.#references.assess(this.#directory, this.#findings, isPresent)
    if (missingTypes.length > 0)
      this.#findings.note(
        NOTED_FEED_RULES.noTargets,
        { file: this.#feed.name },
        `${missingTypes.join(', ')}: not in the input`,
      )
  }

  /** Rules about the whole feed apply only if all of it was read: a folder may contain a part. */
  #assessFeed(): void {
    const where = { file: this.#feed.name }
    const { fileMissing, noSchedules, idsFull } = NOTED_FEED_RULES
    if (this.#missing > 0)
      this.#findings.note(fileMissing, where, `${this.#missing} of ${this.#progress.readings} files are missing`)
    if (this.#assumesSchedules && this.#slotLines > 0)
      this.#findings.note(noSchedules, where, 'the input has no Schedules')
    if (this.#draft.isFull) this.#findings.note(idsFull, where, 'the feed has more slots')
    const { slots, byStatus, ended, stateless } = this.#draft.counts.view()
    const isEmpty = this.#unreadable === undefined && this.#slotLines + this.#directoryLines === 0
    const isPartial = this.#hasNoManifest && this.#slotLines === 0 && !isEmpty
    const isComplete = this.#unreadable === undefined && !this.#assumesSchedules && this.#missing === 0 && !isPartial
    if (isComplete) this.#references.findUnused(this.#draft.counts, this.#findings)
    const { guideExtensions, olderExtensions } = this.#evidence
    const hasLocations = !this.#hasNoManifest || this.#references.has('Location')
    const subject = { slots, free: byStatus.free, upcoming: slots - ended, guideExtensions, olderExtensions }
    if (isComplete || isEmpty || (slots > 0 && !this.#assumesSchedules))
      this.#findings.applyAll(FEED_RULES, { ...subject, stateless: hasLocations ? stateless : 0 }, where)
  }
}
