import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { FeedFailure } from '../feeds/connector.ts'
import { withoutCredentials } from '../feeds/http/request-options.ts'
import { type ListedFile, parseManifest } from '../feeds/smart-links/manifest.ts'
import { asObject, excerpt, type Json } from '../lib/json.ts'
import type { Feed, OpenedManifest } from './feed.ts'
import type { Findings } from './report.ts'
import { type FindingPosition, stringOrEmpty } from './rule.ts'
import { BYTE_ORDER_MARK, LINE_RULES } from './rules/file-rules.ts'
import { HTTP_RULES } from './rules/http-rules.ts'
import { ENTRY_RULES, MANIFEST_RULES, MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'

/** What a manifest is checked with. */
export interface ManifestCheckOptions {
  readonly feed: Feed
  readonly findings: Findings
  readonly strict: boolean
  readonly nowMs: number
  /** Filled with the entries of `output`, by absolute URL. */
  readonly entries: Map<string, Json>
}

/**
 * Checks the manifest and returns its files as a sync would. If it is invalid, calls `fail` with the reason and returns
 * undefined. Throws `FeedFailure` if it cannot be read.
 */
export async function checkManifest(
  opened: OpenedManifest,
  options: ManifestCheckOptions,
  fail: (reason: string) => void,
): Promise<readonly ListedFile[] | undefined> {
  const { findings, strict } = options
  const content = await buffer(opened.body)
  const text = content.toString()
  const where = { file: opened.name }
  findings.apply(BYTE_ORDER_MARK, { body: { hasByteOrderMark: text.startsWith('\ufeff') } }, where)
  const encoding = { text: '', overlong: false, malformed: !isUtf8(content), hasControls: false }
  findings.applyAll(LINE_RULES, encoding, where)
  const manifest = parseLeniently(text)
  if (manifest !== undefined) checkContent(manifest, opened, options)
  await checkHttp(opened, text, options)
  const errorsBefore = findings.errors
  try {
    return parseManifest(text, opened.base, strict).files
  } catch (error) {
    if (!(error instanceof FeedFailure)) throw error
    const reason = `${error.message}${hintFor(text, manifest)}`
    if (errorsBefore === 0) findings.note(MANIFEST_UNREADABLE, where, reason)
    fail(reason)
    return undefined
  }
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

function checkContent(
  manifest: Json,
  { name, http, base }: OpenedManifest,
  { findings, nowMs, entries }: ManifestCheckOptions,
): void {
  const where = { file: name }
  const output = Array.isArray(manifest.output) ? manifest.output : []
  const types = new Set(output.map((entry) => stringOrEmpty(asObject(entry)?.type)))
  const subject = { manifest, types, nowMs, ...(http !== undefined && { url: http.url }) }
  findings.applyAll(MANIFEST_RULES, subject, where)
  const seen = new Set<string>()
  for (const [at, entry] of output.slice(0, ENTRIES_MAX).entries()) {
    const listed = asObject(entry) ?? {}
    const url = URL.parse(stringOrEmpty(listed.url), base)
    if (url !== null) entries.set(keyOf(url), listed)
    const key = `${stringOrEmpty(listed.type)} ${url?.href}`
    findings.applyAll(ENTRY_RULES, { entry, at, base, repeated: seen.has(key) }, excerptOf(where, entry))
    seen.add(key)
  }
}

/** The URL as a sync lists the file. */
function keyOf(url: URL): string {
  const plain = withoutCredentials(url)
  plain.hash = ''
  return plain.href
}

/** Entries that are checked: more than a manifest may list. */
const ENTRIES_MAX = 20_000

function excerptOf(where: FindingPosition, entry: unknown): FindingPosition {
  return { ...where, excerpt: () => excerpt(entry) }
}

async function checkHttp(
  { name, http }: OpenedManifest,
  text: string,
  { feed, findings }: ManifestCheckOptions,
): Promise<void> {
  if (http === undefined) return
  const bytes = Buffer.byteLength(text)
  const subject = { role: 'manifest', ...http, bytes, ...(await feed.testConditionalRequests(text)) } as const
  findings.applyAll(HTTP_RULES, subject, { file: name })
}
