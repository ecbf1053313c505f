import { FeedFailure } from '../feeds/connector.ts'
import { Directory } from '../feeds/fhir/directory.ts'
import { type LineBatch, readLines } from '../feeds/http/lines.ts'
import { DirectoryLineReader, SlotLineReader } from '../feeds/smart-links/line-reader.ts'
import { FILE_TYPES, type ListedFile } from '../feeds/smart-links/manifest.ts'
import { asObject, type Json } from '../lib/json.ts'
import type { Generation } from '../shared/check-report-labels.ts'
import type { CheckedFile, CheckProgress, CheckReport } from '../shared/contract/feed-checks.ts'
import { CheckedDraft, type Pass } from './checked-draft.ts'
import type { Feed, OpenedFile } from './feed.ts'
import { FileCheck } from './file-check.ts'
import { Findings } from './findings.ts'
import { GenerationEvidence } from './generation-evidence.ts'
import { checkManifest } from './manifest-check.ts'
import { ObservedBody } from './observed-body.ts'
import { Enough, Progress, reasonOf } from './progress.ts'
import { References } from './references.ts'
import { countFindings, FILES_SHOWN_MAX, listFindings } from './report.ts'
import { FEED_RULES, FILE_MISSING, IDS_FULL, NO_SCHEDULES, NO_TARGETS } from './rules/feed-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'
import { LISTED_RULES, type ListedSubject } from './rules/listed-rules.ts'
import { MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'
import { FILE_RULES } from './rules/ndjson-rules.ts'

/** How a feed is to be checked. */
export interface CheckOptions {
  /** Read as a strict source is. */
  readonly strict?: boolean
  /** Instead of the one that the feed shows. */
  readonly generation?: Generation
  /** Of each rule, so many findings are shown. */
  readonly examplesMax?: number
  /** The check ends, with what it has, once this is aborted; its reason is told. */
  readonly signal?: AbortSignal
  /** The check ends, with what it has, after so many bytes. */
  readonly bytesMax?: number
  /** So many slots are told apart, to find those that are published twice. */
  readonly idsMax?: number
  readonly clock?: () => number
  readonly onProgress?: (progress: CheckProgress) => void
  /** Takes out of a text what nobody may see: the secrets that the publisher was asked with, whoever repeated them. */
  readonly redact?: (text: string) => string
}

/** Enough to see what a fault looks like. */
export const EXAMPLES_MAX_DEFAULT = 5

/**
 * Reads a feed by the readers of a sync, and tells all that is not right about it. Never throws for what a feed is like;
 * the memory it takes is that of the feed's directory, as for a sync, and bounded whatever is found.
 */
export async function checkFeed(feed: Feed, options: CheckOptions = {}): Promise<CheckReport> {
  const check = new Check(feed, options)
  try {
    await check.run()
  } catch (fault) {
    if (!check.isStopped(fault)) throw fault
  } finally {
    feed.close()
  }
  const report = check.report()
  return options.redact === undefined ? report : redacted(report, options.redact)
}

/** A report is JSON, and bounded. */
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
  readonly #broken = new Set<string>()
  /** What the manifest says of each file. */
  readonly #entries = new Map<string, Json>()
  readonly #progress: Progress
  /** There is no manifest: whatever is not there may be elsewhere. */
  #isGathered = false
  #standsAlone = false
  #unreadable: string | undefined
  #stopped: string | undefined
  #slotLines = 0
  #directoryLines = 0
  #directoryBytes = 0
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
    this.#judgeDirectory()
    for (const file of slotFiles) await this.#readFile(file, 'slots')
    this.#judgeFeed()
  }

  /** True for what ends a check before its time; the report then says so. */
  isStopped(fault: unknown): boolean {
    const { signal } = this.#options
    if (fault instanceof Enough) this.#stopped = fault.message
    else if (signal?.aborted === true) this.#stopped = reasonOf(signal.reason)
    return this.#stopped !== undefined
  }

  report(): CheckReport {
    const { generation = this.#evidence.verdict().generation, strict = false } = this.#options
    const findings = listFindings(this.#findings, generation)
    const served = this.#draft.counts.view()
    const { rejected, withheld, directoryRejected, samples } = this.#draft
    return {
      feed: this.#feed.name,
      checkedAtMs: this.#startedAtMs,
      durationMs: this.#clock() - this.#startedAtMs,
      strict,
      ...(generation === undefined ? {} : { generation }),
      evidence: this.#evidence.verdict().evidence,
      ...(this.#unreadable === undefined ? {} : { unreadable: this.#unreadable }),
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
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
      files: [...this.#read.values()].slice(0, FILES_SHOWN_MAX),
      fileCount: this.#read.size,
    }
  }

  /** Undefined if there is nothing to read. */
  async #listFiles(): Promise<readonly ListedFile[] | undefined> {
    const { strict = false } = this.#options
    try {
      const opened = await this.#feed.open()
      if ('names' in opened) {
        this.#isGathered = true
        this.#standsAlone = true
        return opened.names.map((url) => ({ url, types: [...FILE_TYPES].sort() }))
      }
      const parts = {
        feed: this.#feed,
        findings: this.#findings,
        strict,
        nowMs: this.#startedAtMs,
        entries: this.#entries,
      }
      return await checkManifest(opened, parts, (reason) => this.#failAs(reason))
    } catch (fault) {
      if (!(fault instanceof FeedFailure)) throw fault
      this.#findings.note(MANIFEST_UNREADABLE, { file: this.#feed.name }, fault.message)
      this.#failAs(fault.message)
      return undefined
    }
  }

  #failAs(reason: string): void {
    this.#unreadable ??= reason
  }

  async #readFile(file: ListedFile, pass: Pass): Promise<void> {
    this.#progress.reading++
    if (this.#broken.has(file.url)) return
    try {
      const opened = await this.#feed.openFile(file.url)
      if (opened === undefined) this.#missing++
      else await this.#readOpened(file, pass, opened)
    } catch (fault) {
      if (!(fault instanceof FeedFailure)) throw fault
      this.#broken.add(file.url)
      this.#findings.note(FILE_UNREADABLE, { file: file.url }, fault.message)
      this.#failAs(fault.message)
    }
  }

  async #readOpened(file: ListedFile, pass: Pass, opened: OpenedFile): Promise<void> {
    const listed = { ...file, url: opened.name, part: 0 }
    const check = new FileCheck(this.#fileParts(), listed, opened.name, pass)
    const directoryLines = new DirectoryLineReader(listed, this.#directory, this.#draft, this.#directoryBytes)
    const slotLines = new SlotLineReader(listed, this.#directory, this.#draft, false)
    const body = new ObservedBody()
    this.#draft.statesMet.clear()
    const hand = (batch: LineBatch) => (pass === 'slots' ? slotLines : directoryLines).take(batch)
    let before = { bytes: 0, lines: 0, slotLines: 0 }
    for await (const batch of readLines(body.watch(opened.body))) {
      check.take(batch, hand)
      this.#slotLines += check.slotLines - before.slotLines
      if (pass === 'directory') this.#directoryLines += check.lines - before.lines
      const read = { lines: batch.lines.length, bytes: body.bytes - before.bytes }
      this.#progress.advance(opened.name, read, this.#findings.errors)
      before = { bytes: body.bytes, lines: check.lines, slotLines: check.slotLines }
    }
    this.#directoryBytes = pass === 'slots' ? this.#directoryBytes : directoryLines.bytes
    // A file of several types is read twice, and told of once.
    if (this.#read.has(opened.name)) return
    const { lines, blankLines } = check
    this.#read.set(opened.name, { name: opened.name, types: file.types, lines, bytes: body.bytes })
    const where = { file: opened.name }
    const { endsWithNewline, hasByteOrderMark, returns, isPretty, isGzip } = body
    const end = {
      bytes: body.bytes,
      endsWithNewline,
      hasByteOrderMark,
      returns,
      isPretty,
      isGzip,
      blankLines,
      lines,
    }
    this.#findings.lookAll(FILE_RULES, end, where)
    const entry = this.#entries.get(file.url)
    if (entry !== undefined)
      this.#findings.lookAll(LISTED_RULES, this.#listed(entry, file.types, check), where)
    if (opened.http !== undefined)
      this.#findings.lookAll(HTTP_RULES, { role: 'file', ...opened.http, bytes: body.bytes }, where)
  }

  #listed(entry: Json, types: readonly string[], { lines, typesMet }: FileCheck): ListedSubject {
    const statesNamed = [asObject(entry.extension)?.state ?? []].flat()
    return { entry, types, lines, typesMet, statesNamed, statesMet: this.#draft.statesMet }
  }

  #fileParts() {
    return {
      findings: this.#findings,
      draft: this.#draft,
      directory: this.#directory,
      references: this.#references,
      evidence: this.#evidence,
      nowMs: this.#startedAtMs,
      standsAlone: this.#standsAlone,
    }
  }

  #judgeDirectory(): void {
    if (this.#references.has('Schedule')) this.#standsAlone = false
    const isThere = (type: string) => !this.#isGathered || this.#references.has(type)
    const untold = this.#references.judge(this.#directory, this.#findings, isThere)
    if (untold.length > 0)
      this.#findings.note(NO_TARGETS, { file: this.#feed.name }, `${untold.join(', ')}: got "none"`)
  }

  /** What is missing in a folder is not missing in the feed. */
  #judgeFeed(): void {
    const where = { file: this.#feed.name }
    if (this.#missing > 0)
      this.#findings.note(
        FILE_MISSING,
        where,
        `files that are not there: got "${this.#missing} of ${this.#progress.readings}"`,
      )
    if (this.#standsAlone && this.#slotLines > 0)
      this.#findings.note(NO_SCHEDULES, where, 'Schedules: got "none"')
    if (this.#draft.isFull) this.#findings.note(IDS_FULL, where, 'slots: got "more"')
    const { slots, byStatus, ended, stateless } = this.#draft.counts.view()
    const isEmpty = this.#unreadable === undefined && this.#slotLines + this.#directoryLines === 0
    const isPart = this.#isGathered && this.#slotLines === 0 && !isEmpty
    const isWhole = this.#unreadable === undefined && !this.#standsAlone && this.#missing === 0 && !isPart
    if (isWhole) this.#references.judgeUse(this.#draft.counts, this.#findings)
    const { ofGuide, ofOlder } = this.#evidence
    const hasPlaces = !this.#isGathered || this.#references.has('Location')
    const subject = { slots, free: byStatus.free, ahead: slots - ended, ofGuide, ofOlder }
    if (isWhole || isEmpty || (slots > 0 && !this.#standsAlone))
      this.#findings.lookAll(FEED_RULES, { ...subject, stateless: hasPlaces ? stateless : 0 }, where)
  }
}
