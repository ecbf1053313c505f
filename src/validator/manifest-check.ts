import { isUtf8 } from 'node:buffer'
import { FeedFailure } from '../feeds/connector.ts'
import { withoutCredentials } from '../feeds/http/request-options.ts'
import { type ListedFile, parseManifest } from '../feeds/smart-links/manifest.ts'
import { asObject, excerpt, type Json } from '../lib/json.ts'
import type { Feed, OpenedManifest } from './feed.ts'
import type { Findings } from './findings.ts'
import { textOrNothing } from './quoted-value.ts'
import type { Where } from './rule.ts'
import { HTTP_RULES } from './rules/http-rules.ts'
import { ENTRY_RULES, MANIFEST_RULES, MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'
import { BYTE_ORDER_MARK, LINE_RULES } from './rules/ndjson-rules.ts'

/** What a manifest is checked with. */
export interface ManifestParts {
  readonly feed: Feed
  readonly findings: Findings
  readonly strict: boolean
  readonly nowMs: number
  /** Filled with the entries of `output`, by absolute URL. */
  readonly entries: Map<string, Json>
}

/**
 * Checks the manifest, and lists its files as a sync would. Undefined if it cannot; `fail` is told why. Throws
 * `FeedFailure` if it cannot be had.
 */
export async function checkManifest(
  opened: OpenedManifest,
  parts: ManifestParts,
  fail: (reason: string) => void,
): Promise<readonly ListedFile[] | undefined> {
  const { findings, strict } = parts
  const content = await contentOf(opened)
  const text = content.toString()
  const where = { file: opened.name }
  findings.look(BYTE_ORDER_MARK, { hasByteOrderMark: text.startsWith('\ufeff') }, where)
  const encoding = { text: '', overlong: false, malformed: !isUtf8(content), hasControls: false }
  findings.lookAll(LINE_RULES, encoding, where)
  const manifest = parseLeniently(text)
  if (manifest !== undefined) lookAt(manifest, opened, parts)
  await lookAtHttp(opened, text, parts)
  const errors = findings.errors
  try {
    return parseManifest(text, opened.base, strict).files
  } catch (fault) {
    if (!(fault instanceof FeedFailure)) throw fault
    const reason = `${fault.message}${meaningOf(text, manifest)}`
    if (errors === 0) findings.note(MANIFEST_UNREADABLE, where, reason)
    fail(reason)
    return undefined
  }
}

/** What came instead, where that is known. */
function meaningOf(text: string, manifest: Json | undefined): string {
  if (typeof manifest?.resourceType === 'string')
    return ` in a ${excerpt(manifest.resourceType)}: FHIR servers are added as sources of the format fhir-search, and not checked`
  return /^\s*</.test(text) ? ': this is a page for people' : ''
}

async function contentOf({ body }: OpenedManifest): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

function parseLeniently(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

function lookAt(
  manifest: Json,
  { name, http, base }: OpenedManifest,
  { findings, nowMs, entries }: ManifestParts,
): void {
  const where = { file: name }
  const output = Array.isArray(manifest.output) ? manifest.output : []
  const types = new Set(output.map((entry) => textOrNothing(asObject(entry)?.type)))
  const subject = { manifest, types, nowMs, ...(http === undefined ? {} : { url: http.url }) }
  findings.lookAll(MANIFEST_RULES, subject, where)
  const seen = new Set<string>()
  for (const [at, entry] of output.slice(0, ENTRIES_MAX).entries()) {
    const listed = asObject(entry) ?? {}
    const url = URL.parse(textOrNothing(listed.url), base)
    if (url !== null) entries.set(keyOf(url), listed)
    const key = `${textOrNothing(listed.type)} ${url?.href}`
    findings.lookAll(ENTRY_RULES, { entry, at, base, repeated: seen.has(key) }, excerptOf(where, entry))
    seen.add(key)
  }
}

/** As files are listed by a sync. */
function keyOf(url: URL): string {
  const plain = withoutCredentials(url)
  plain.hash = ''
  return plain.href
}

/** More than any manifest may list. */
const ENTRIES_MAX = 20_000

function excerptOf(where: Where, entry: unknown): Where {
  return { ...where, excerpt: () => excerpt(entry) }
}

async function lookAtHttp(
  { name, http }: OpenedManifest,
  text: string,
  { feed, findings }: ManifestParts,
): Promise<void> {
  if (http === undefined) return
  const bytes = Buffer.byteLength(text)
  const subject = { role: 'manifest', ...http, bytes, ...(await feed.askAgain(text)) } as const
  findings.lookAll(HTTP_RULES, subject, { file: name })
}
