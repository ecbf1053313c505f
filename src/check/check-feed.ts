import { FeedFailure } from '../sources/connector.ts'
import { Directory } from '../sources/fhir/directory.ts'
import { DirectoryLines, SlotLines } from '../sources/smart-links/line-reader.ts'
import { FILE_TYPES, type ListedFile } from '../sources/smart-links/manifest.ts'
import { type LineBatch, readLines } from '../sources/web/lines.ts'
import { CheckedDraft, type Pass } from './checked-draft.ts'
import type { Feed, OpenedFile } from './feed.ts'
import { FileCheck } from './file-check.ts'
import { Findings } from './findings.ts'
import { GenerationEvidence } from './generation-evidence.ts'
import { checkManifest } from './manifest-check.ts'
import { ObservedBody } from './observed-body.ts'
import { References } from './references.ts'
import { type CheckedFile, type CheckReport, countFindings, FILES_SHOWN_MAX, listFindings } from './report.ts'
import type { Generation } from './rule.ts'
import { FEED_RULES, FILE_MISSING, NO_SCHEDULES } from './rules/feed-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'
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
  readonly clock?: () => number
  readonly onProgress?: (progress: CheckProgress) => void
  /** Takes out of a text what nobody may see: the secrets that the publisher was asked with, whoever repeated them. */
  readonly redact?: (text: string) => string
}

/** How far a check is. */
export interface CheckProgress {
  /** The file that is read: its number, counted from 1, of how many readings. */
  readonly reading: number
  readonly readings: number
  readonly name: string
  readonly lines: number
  readonly bytes: number
  /** Findings of errors so far. */
  readonly errors: number
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

/** The check has read as much as it may. */
class Enough extends Error {}

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
  #standsAlone = false
  #unreadable: string | undefined
  #stopped: string | undefined
  #lines = 0
  #bytes = 0
  #slotLines = 0
  #directoryLines = 0
  #directoryBytes = 0
  #reading = 0
  #readings = 0
  #missing = 0

  constructor(feed: Feed, options: CheckOptions) {
    this.#feed = feed
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#startedAtMs = this.#clock()
    this.#findings = new Findings(options.examplesMax ?? EXAMPLES_MAX_DEFAULT, options.redact)
    this.#draft = new CheckedDraft(this.#findings, this.#startedAtMs)
    this.#directory = new Directory('check', options.strict ?? false)
  }

  async run(): Promise<void> {
    const files = await this.#listFiles()
    if (files === undefined) return
    const directoryFiles = files.filter(({ types }) => types.some((type) => type !== 'Slot'))
    const slotFiles = files.filter(({ types }) => types.includes('Slot'))
    this.#readings = directoryFiles.length + slotFiles.length
    for (const file of directoryFiles) await this.#readFile(file, 'directory')
    this.#judgeDirectory(slotFiles.length)
    for (const file of slotFiles) await this.#readFile(file, 'slots')
    this.#judgeFeed()
  }

  /** True for what ends a check before its time; the report then says so. */
  isStopped(fault: unknown): boolean {
    const { signal } = this.#options
    if (fault instanceof Enough) this.#stopped = fault.message
    else if (signal?.aborted === true) this.#stopped = messageOf(signal.reason)
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
        this.#standsAlone = true
        return opened.names.map((url) => ({ url, types: [...FILE_TYPES].sort() }))
      }
      const parts = { feed: this.#feed, findings: this.#findings, strict, nowMs: this.#startedAtMs }
      return await checkManifest(opened, parts, (reason) => this.#failAs(reason))
    } catch (fault) {
      if (!(fault instanceof FeedFailure)) throw fault
      this.#findings.note(FILE_UNREADABLE, { file: this.#feed.name }, fault.message)
      this.#failAs(fault.message)
      return undefined
    }
  }

  #failAs(reason: string): void {
    this.#unreadable ??= reason
  }

  async #readFile(file: ListedFile, pass: Pass): Promise<void> {
    this.#reading++
    try {
      const opened = await this.#feed.openFile(file.url)
      if (opened === undefined) this.#missing++
      else await this.#readOpened(file, pass, opened)
    } catch (fault) {
      if (!(fault instanceof FeedFailure)) throw fault
      this.#findings.note(FILE_UNREADABLE, { file: file.url }, fault.message)
      this.#failAs(fault.message)
    }
  }

  async #readOpened(file: ListedFile, pass: Pass, opened: OpenedFile): Promise<void> {
    const listed = { ...file, url: opened.name, part: 0 }
    const check = new FileCheck(this.#fileParts(), listed, opened.name, pass)
    const directoryLines = new DirectoryLines(listed, this.#directory, this.#draft, this.#directoryBytes)
    const slotLines = new SlotLines(listed, this.#directory, this.#draft, false)
    const body = new ObservedBody()
    const read = (batch: LineBatch) => (pass === 'slots' ? slotLines : directoryLines).take(batch)
    let before = { bytes: 0, lines: 0, slotLines: 0 }
    for await (const batch of readLines(body.watch(opened.body))) {
      check.take(batch, read)
      this.#slotLines += check.slotLines - before.slotLines
      if (pass === 'directory') this.#directoryLines += check.lines - before.lines
      this.#advance(opened.name, batch.lines.length, body.bytes - before.bytes)
      before = { bytes: body.bytes, lines: check.lines, slotLines: check.slotLines }
    }
    this.#directoryBytes = pass === 'slots' ? this.#directoryBytes : directoryLines.bytes
    // A file of several types is read twice, and told of once.
    if (this.#read.has(opened.name)) return
    const { lines, blankLines } = check
    this.#read.set(opened.name, { name: opened.name, types: file.types, lines, bytes: body.bytes })
    const where = { file: opened.name }
    const { endsWithNewline, hasByteOrderMark, returns, isPretty } = body
    const end = { bytes: body.bytes, endsWithNewline, hasByteOrderMark, returns, isPretty, blankLines, lines }
    this.#findings.lookAll(FILE_RULES, end, where)
    if (opened.http !== undefined)
      this.#findings.lookAll(HTTP_RULES, { role: 'file', ...opened.http, bytes: body.bytes }, where)
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

  /** Throws `Enough`, or the reason of the signal. */
  #advance(name: string, lines: number, bytes: number): void {
    const { signal, bytesMax, onProgress, redact } = this.#options
    this.#lines += lines
    this.#bytes += bytes
    const { errors } = this.#findings
    onProgress?.({
      reading: this.#reading,
      readings: this.#readings,
      name: redact?.(name) ?? name,
      lines: this.#lines,
      bytes: this.#bytes,
      errors,
    })
    signal?.throwIfAborted()
    if (bytesMax !== undefined && this.#bytes > bytesMax)
      throw new Enough(`a check reads at most ${bytesMax} bytes, and there are more`)
  }

  #judgeDirectory(slotFiles: number): void {
    const hasSchedules = this.#references.has('Schedule')
    if (this.#standsAlone && hasSchedules) this.#standsAlone = false
    else if (this.#standsAlone && slotFiles > 0)
      this.#findings.note(NO_SCHEDULES, { file: this.#feed.name }, 'Schedules: got "none"')
    this.#references.judge(this.#directory, this.#findings)
  }

  /** What is missing in a folder is not missing in the feed. */
  #judgeFeed(): void {
    const where = { file: this.#feed.name }
    if (this.#missing > 0)
      this.#findings.note(
        FILE_MISSING,
        where,
        `files that are not there: got "${this.#missing} of ${this.#readings}"`,
      )
    const isWhole = this.#unreadable === undefined && !this.#standsAlone && this.#missing === 0
    if (isWhole) this.#references.judgeUse(this.#draft.counts, this.#findings)
    const { slots, byStatus, ended, stateless } = this.#draft.counts.view()
    const { ofGuide, ofOlder } = this.#evidence
    const subject = { slots, free: byStatus.free, ahead: slots - ended, stateless, ofGuide, ofOlder }
    if (isWhole || (slots > 0 && !this.#standsAlone)) this.#findings.lookAll(FEED_RULES, subject, where)
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
