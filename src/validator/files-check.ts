import { FeedFailure } from '../feeds/connector.ts'
import { DirectorySize } from '../feeds/directory-size.ts'
import { type LineBatch, readLines } from '../feeds/http/lines.ts'
import { resourceChunks } from '../feeds/smart-links/file-content.ts'
import { DirectoryLineReader, SlotLineReader } from '../feeds/smart-links/line-reader.ts'
import { asObject, type Json } from '../lib/json.ts'
import type { CheckedFile } from '../shared/contract/feed-checks.ts'
import type { Pass } from './checked-draft.ts'
import type { Feed, OpenedFile } from './feed.ts'
import { FileCheck, type FileCheckOptions } from './file-check.ts'
import type { PagedFile } from './manifest-check.ts'
import { DeletionCheck, type MessageCheck, OutcomeCheck } from './message-checks.ts'
import { ObservedBody } from './observed-body.ts'
import type { Progress } from './progress.ts'
import { NOTED_PAGE_RULES } from './rules/bulk-publish-rules.ts'
import { FILE_RULES, FORM_RULES, LISTED_RULES, type ListedSubject, SIZE_RULES } from './rules/file-rules.ts'
import { FILE_UNREADABLE, HTTP_RULES } from './rules/http-rules.ts'

/** The context in which the files of a feed are read. */
interface FilesCheckOptions extends FileCheckOptions {
  readonly feed: Feed
  readonly progress: Progress
  /** The manifest entry of each file. */
  readonly entries: ReadonlyMap<string, Json>
  readonly isBulkPublish: boolean
  /** The feed as a whole cannot be read. */
  fail(reason: string): void
}

/** Reads the files of a feed one after the other and checks them. */
export class FilesCheck {
  readonly #options: FilesCheckOptions
  /** The files that were read, by name. */
  readonly read = new Map<string, CheckedFile>()
  readonly #unreadable = new Set<string>()
  readonly #directorySize = new DirectorySize()
  slotLines = 0
  directoryLines = 0
  /** Number of files that the folder lacks. */
  missing = 0

  constructor(options: FilesCheckOptions) {
    this.#options = options
  }

  /** Reads files of resources in one pass. */
  async readResources(files: readonly PagedFile[], pass: Pass): Promise<void> {
    for (const file of files) await this.#readFile(file, (opened) => this.#readLines(file, pass, opened))
  }

  async readDeletions(files: readonly PagedFile[]): Promise<void> {
    for (const file of files) {
      const check = new DeletionCheck(this.#options, file.page)
      await this.#readFile(file, (opened) => this.#readMessages(file, opened, check))
    }
  }

  /** Those that cannot be read are ignored, as in a sync. */
  async readOutcomes(files: readonly PagedFile[]): Promise<void> {
    const ignore = (file: PagedFile, error: FeedFailure) =>
      this.#options.findings.note(NOTED_PAGE_RULES.outcomeUnreadable, { file: file.url }, error.message)
    for (const file of files) {
      const check = new OutcomeCheck(this.#options)
      await this.#readFile(file, (opened) => this.#readMessages(file, opened, check), ignore)
    }
  }

  async #readFile(
    file: PagedFile,
    read: (opened: OpenedFile) => Promise<void>,
    fail = (file: PagedFile, error: FeedFailure) => this.#fail(file, error),
  ): Promise<void> {
    this.#options.progress.reading++
    if (this.#unreadable.has(file.url)) return
    try {
      const opened = await this.#options.feed.openFile(file.url)
      if (opened === undefined) this.missing++
      else await read(opened)
    } catch (error) {
      if (!(error instanceof FeedFailure)) throw error
      this.#unreadable.add(file.url)
      fail(file, error)
    }
  }

  #fail(file: PagedFile, { message }: FeedFailure): void {
    this.#options.findings.note(FILE_UNREADABLE, { file: file.url }, message)
    this.#options.fail(message)
  }

  async #readLines(file: PagedFile, pass: Pass, opened: OpenedFile): Promise<void> {
    const { directory, draft } = this.#options
    const listed = { ...file, url: opened.name, part: 0 }
    const check = new FileCheck(this.#options, listed, opened.name, pass)
    const directoryLines = new DirectoryLineReader(listed, directory, draft, this.#directorySize)
    const slotLines = new SlotLineReader(listed, directory, draft, false)
    draft.statesFound.clear()
    const passOn = (batch: LineBatch) => (pass === 'slots' ? slotLines : directoryLines).take(batch)
    const counted = { slotLines: 0, lines: 0 }
    const body = await this.#readBatches({ ...opened, body: resourceChunks(opened.name, opened.body) }, (batch) => {
      check.take(batch, passOn)
      this.slotLines += check.slotLines - counted.slotLines
      if (pass === 'directory') this.directoryLines += check.lines - counted.lines
      counted.slotLines = check.slotLines
      counted.lines = check.lines
    })
    // A file of several types is read twice but reported once.
    if (this.read.has(opened.name)) return
    this.#finish(file, opened, { body, blankLines: check.blankLines, lines: check.lines })
    const entry = this.#options.entries.get(file.url)
    if (entry !== undefined)
      this.#options.findings.applyAll(LISTED_RULES, this.#listed(entry, file.types, check), { file: opened.name })
  }

  async #readMessages(file: PagedFile, opened: OpenedFile, check: MessageCheck): Promise<void> {
    const body = await this.#readBatches(opened, (batch) => check.take(batch, opened.name))
    this.#finish(file, opened, { body, blankLines: check.blankLines, lines: check.lines })
  }

  async #readBatches(opened: OpenedFile, take: (batch: LineBatch) => void): Promise<ObservedBody> {
    const { progress, findings } = this.#options
    const body = new ObservedBody()
    let bytesBefore = 0
    try {
      for await (const batch of readLines(body.observe(opened.body))) {
        take(batch)
        const read = { lines: batch.lines.length, bytes: body.bytes - bytesBefore }
        progress.advance(opened.name, read, findings.errors)
        bytesBefore = body.bytes
      }
    } catch (error) {
      findings.applyAll(FORM_RULES, { body }, { file: opened.name })
      throw error
    }
    return body
  }

  #finish(
    { url, types }: PagedFile,
    { name, http }: OpenedFile,
    end: { readonly body: ObservedBody; readonly blankLines: number; readonly lines: number },
  ): void {
    const { findings, entries, profile } = this.#options
    const isBulkPublish = this.#options.isBulkPublish || profile !== undefined
    const { lines, body } = end
    const where = { file: name }
    this.read.set(name, { name, types, lines, bytes: body.bytes })
    findings.applyAll(FILE_RULES, end, where)
    const entry = entries.get(url)
    const contentLength = Number(http?.headers['content-length'])
    if (entry !== undefined)
      findings.applyAll(SIZE_RULES, { entry, types, lines, bytes: body.bytes, contentLength }, where)
    if (http !== undefined)
      findings.applyAll(HTTP_RULES, { role: 'file', ...http, bytes: body.bytes, isBulkPublish }, where)
  }

  #listed(entry: Json, types: readonly string[], { lines, typesFound }: FileCheck): ListedSubject {
    const statesNamed = [asObject(entry.extension)?.state ?? []].flat()
    return { types, lines, typesFound, statesNamed, statesFound: this.#options.draft.statesFound }
  }
}
