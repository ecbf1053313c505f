import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { FeedFailure } from '../feeds/connector.ts'
import { withoutCredentials } from '../feeds/http/request-options.ts'
import { type ListedFile, type Manifest, parseManifest } from '../feeds/smart-links/manifest.ts'
import { type ManifestPage, readPages } from '../feeds/smart-links/pages.ts'
import { asObject, excerpt, type Json } from '../lib/json.ts'
import type { Profile } from '../shared/conformance-labels.ts'
import type { Feed, OpenedManifest } from './feed.ts'
import type { Findings } from './report.ts'
import { stringOrEmpty } from './rule.ts'
import { BULK_PUBLISH_RULES, FORMAT_RULES, NOTED_PAGE_RULES } from './rules/bulk-publish-rules.ts'
import { ENTRY_RULES } from './rules/entry-rules.ts'
import { BYTE_ORDER_MARK, LINE_RULES } from './rules/file-rules.ts'
import { HTTP_RULES } from './rules/http-rules.ts'
import { MANIFEST_RULES, MANIFEST_UNREADABLE, type ManifestSubject, PUBLICATION_RULES } from './rules/manifest-rules.ts'
import { DIRECTORY_ENTRY_RULES, DIRECTORY_MANIFEST_RULES } from './rules/slot-directory-rules.ts'

/** The context in which a manifest is checked. */
interface ManifestCheckOptions {
  readonly feed: Feed
  readonly findings: Findings
  readonly strict: boolean
  readonly nowMs: number
  /** The rules of this profile apply too. */
  readonly profile?: Profile | undefined
}

/** A file of a manifest with the page that lists it, counted from 0. */
export interface PagedFile extends ListedFile {
  readonly page: number
}

/** The files that all pages of a manifest list, in their order. */
export interface CheckedPublication {
  /** The latest version of each resource counts. */
  readonly isBulkPublish: boolean
  /** A file that several pages list is on the last of them. */
  readonly files: readonly PagedFile[]
  readonly deleted: readonly PagedFile[]
  readonly outcomes: readonly PagedFile[]
  /** The entry of each file, by its URL. */
  readonly entries: ReadonlyMap<string, Json>
  /** The folder lacks a page. */
  readonly isPartial: boolean
  /** The number of pages. */
  readonly pages: number
  /** The manifest says that its files need no token. */
  readonly isOpen: boolean
}

/**
 * Checks a manifest with all its pages, and returns their files as a sync would read them. If it is invalid, calls `fail`
 * with the reason and returns undefined; findings say where.
 */
export async function checkManifest(
  opened: OpenedManifest,
  options: ManifestCheckOptions,
  fail: (reason: string) => void,
): Promise<CheckedPublication | undefined> {
  try {
    return await new ManifestCheck(options).run(opened)
  } catch (error) {
    if (!(error instanceof InvalidManifest)) throw error
    fail(error.message)
    return undefined
  }
}

/** A page cannot be read; a finding says why. */
class InvalidManifest extends Error {}

/** The folder has no file for a page. */
class PageMissing extends Error {}

class ManifestCheck {
  readonly #options: ManifestCheckOptions
  readonly #entries = new Map<string, Json>()
  /** Types and URLs of the entries so far. */
  readonly #listed = new Set<string>()
  readonly #pages: Manifest[] = []
  /** The content of the first and of the last page so far. */
  #root: Json | undefined
  #last: Json | undefined
  #isBulkPublish = false

  constructor(options: ManifestCheckOptions) {
    this.#options = options
  }

  async run(root: OpenedManifest): Promise<CheckedPublication> {
    const { findings, nowMs } = this.#options
    const isPartial = await this.#readPages(root)
    const types = new Set(this.#pages.flatMap(({ files }) => files.flatMap((file) => file.types)))
    const transactionTime = this.#last?.transactionTime
    if (!isPartial) findings.applyAll(PUBLICATION_RULES, { types, transactionTime, nowMs }, { file: root.name })
    const filesOf = (urls: (page: Manifest) => readonly string[], type: string) =>
      this.#pages.flatMap((each, page) => urls(each).map((url) => ({ url, types: [type], page })))
    return {
      isBulkPublish: this.#isBulkPublish,
      files: this.#files(),
      deleted: filesOf(({ deleted }) => deleted, 'Bundle'),
      outcomes: filesOf(({ outcomes }) => outcomes, 'OperationOutcome'),
      entries: this.#entries,
      isPartial,
      pages: this.#pages.length,
      isOpen: this.#root?.requiresAccessToken === false,
    }
  }

  /** True if the folder lacks a page. */
  async #readPages(root: OpenedManifest): Promise<boolean> {
    let file = root.name
    const read = async (url: URL): Promise<ManifestPage> => {
      if (this.#pages.length === 0) return await this.#checkPage(root)
      file = withoutCredentials(url).href
      const opened = await this.#options.feed.openPage(url)
      if (opened === undefined) throw new PageMissing()
      return await this.#checkPage(opened)
    }
    try {
      for await (const { manifest } of readPages(root.http?.requested ?? root.base, read)) this.#pages.push(manifest)
      return false
    } catch (error) {
      if (error instanceof PageMissing) return true
      if (!(error instanceof FeedFailure)) throw error
      const rule = this.#pages.length === 0 ? MANIFEST_UNREADABLE : NOTED_PAGE_RULES.unreadable
      this.#options.findings.note(rule, { file }, error.message)
      throw new InvalidManifest(error.message)
    }
  }

  /** Throws `FeedFailure` if it cannot be fetched, and `InvalidManifest` if it cannot be read. */
  async #checkPage(opened: OpenedManifest): Promise<ManifestPage> {
    const { findings, strict } = this.#options
    const errorsBefore = findings.errors
    const content = await buffer(opened.body)
    const text = content.toString()
    const where = { file: opened.name }
    findings.apply(BYTE_ORDER_MARK, { body: { hasByteOrderMark: text.startsWith('\ufeff') } }, where)
    const encoding = { text: '', overlong: false, malformed: !isUtf8(content), hasControls: false }
    findings.applyAll(LINE_RULES, encoding, where)
    const page = parseLeniently(text)
    if (page !== undefined) this.#checkContent(page, opened)
    await this.#checkHttp(opened, text, page)
    try {
      return { manifest: parseManifest(text, opened.base, strict), bytes: content.length }
    } catch (error) {
      if (!(error instanceof FeedFailure)) throw error
      const reason = `${error.message}${hintFor(text, page)}`
      if (findings.errors === errorsBefore) findings.note(MANIFEST_UNREADABLE, where, reason)
      throw new InvalidManifest(reason)
    }
  }

  #checkContent(manifest: Json, { name, http, base }: OpenedManifest): void {
    const { findings, nowMs, profile } = this.#options
    const where = { file: name }
    const previous = this.#last
    this.#root ??= manifest
    this.#last = manifest
    if (previous === undefined) this.#isBulkPublish = isOfBulkPublish(manifest)
    const subject: ManifestSubject = {
      manifest,
      root: this.#root,
      isBulkPublish: this.#isBulkPublish,
      nowMs,
      ...(previous !== undefined && { previous }),
      ...(http !== undefined && { url: http.url }),
    }
    findings.applyAll(MANIFEST_RULES, subject, where)
    findings.applyAll(FORMAT_RULES, subject, where)
    if (this.#isBulkPublish || profile !== undefined) findings.applyAll(BULK_PUBLISH_RULES, subject, where)
    if (profile !== undefined) findings.applyAll(DIRECTORY_MANIFEST_RULES, subject, where)
    for (const list of ['output', 'deleted'] as const) this.#checkEntries(list, manifest, { name, base })
    for (const entry of arrayOf(manifest.outcome)) this.#addEntry(asObject(entry) ?? {}, base)
  }

  #checkEntries(list: 'output' | 'deleted', manifest: Json, { name, base }: { name: string; base: URL }): void {
    const isOrganized = manifest.outputOrganizedBy !== undefined
    for (const [at, entry] of arrayOf(manifest[list]).entries()) {
      const listed = asObject(entry) ?? {}
      const url = this.#addEntry(listed, base)
      const key = `${list} ${stringOrEmpty(listed.type)} ${url}`
      const subject = { list, entry, at, base, repeated: this.#listed.has(key), isOrganized }
      const rules = this.#options.profile === undefined ? ENTRY_RULES : [...ENTRY_RULES, ...DIRECTORY_ENTRY_RULES]
      this.#options.findings.applyAll(rules, subject, { file: name, excerpt: () => excerpt(entry) })
      this.#listed.add(key)
    }
  }

  /** Returns the URL as a sync lists the file. */
  #addEntry(entry: Json, base: URL): string | undefined {
    const url = URL.parse(stringOrEmpty(entry.url), base)
    if (url === null) return undefined
    const plain = withoutCredentials(url)
    plain.hash = ''
    this.#entries.set(plain.href, entry)
    return plain.href
  }

  /** Conditional requests are tested for the pages that are polled: the first and the last one. */
  async #checkHttp({ name, http, ...opened }: OpenedManifest, text: string, page: Json | undefined): Promise<void> {
    if (http === undefined) return
    const isPolled = this.#pages.length === 0 || !Array.isArray(page?.link) || /"#(?:pending|closed)"/.test(text)
    const conditional = isPolled ? await opened.testConditionalRequests?.(text) : undefined
    const subject = { role: 'manifest', ...http, bytes: Buffer.byteLength(text), ...conditional } as const
    this.#options.findings.applyAll(HTTP_RULES, subject, { file: name })
  }

  #files(): PagedFile[] {
    const files = new Map<string, PagedFile>()
    for (const [page, manifest] of this.#pages.entries()) {
      for (const file of manifest.files) {
        const types = [...new Set([...file.types, ...(files.get(file.url)?.types ?? [])])].sort()
        files.delete(file.url)
        files.set(file.url, { ...file, types, page })
      }
    }
    return [...files.values()]
  }
}

/** As a sync decides it, also for a manifest with other faults. */
function isOfBulkPublish({ manifestType, link, deleted }: Json): boolean {
  return typeof manifestType === 'string' || (link !== undefined && link !== null) || arrayOf(deleted).length > 0
}

/** Entries that are checked: more than a manifest may list. */
const ENTRIES_MAX = 20_000

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, ENTRIES_MAX) : []
}

/** Explains common responses that are not a manifest. */
function hintFor(text: string, manifest: Json | undefined): string {
  if (typeof manifest?.resourceType === 'string')
    return `; the response is a ${excerpt(manifest.resourceType)}: add FHIR servers as sources of the format fhir-search, which cannot be checked`
  return /^\s*</.test(text) ? ': this is an HTML page' : ''
}

function parseLeniently(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}
