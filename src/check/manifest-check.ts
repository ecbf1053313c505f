import { FeedFailure } from '../sources/connector.ts'
import { type Json, objectOf, shown } from '../sources/fhir/json.ts'
import { type ListedFile, parseManifest } from '../sources/smart-links/manifest.ts'
import type { Feed, OpenedManifest } from './feed.ts'
import type { Findings } from './findings.ts'
import { textOrNothing } from './got.ts'
import type { Where } from './rule.ts'
import { HTTP_RULES } from './rules/http-rules.ts'
import { ENTRY_RULES, MANIFEST_RULES, MANIFEST_UNREADABLE } from './rules/manifest-rules.ts'

/** What a manifest is checked with. */
export interface ManifestParts {
  readonly feed: Feed
  readonly findings: Findings
  readonly strict: boolean
  readonly nowMs: number
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
  const text = await textOf(opened)
  const where = { file: opened.name }
  const manifest = parseLeniently(text)
  if (manifest !== undefined) lookAt(manifest, opened, parts)
  await lookAtHttp(opened, Buffer.byteLength(text), parts)
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
    return ` in a ${shown(manifest.resourceType)}: FHIR servers are added as sources of the format fhir-search, and not checked`
  return /^\s*</.test(text) ? ': this is a page for people' : ''
}

async function textOf({ body }: OpenedManifest): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function parseLeniently(text: string): Json | undefined {
  try {
    return objectOf(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

function lookAt(
  manifest: Json,
  { name, http, base }: OpenedManifest,
  { findings, nowMs }: ManifestParts,
): void {
  const where = { file: name }
  const output = Array.isArray(manifest.output) ? manifest.output : []
  const types = new Set(output.map((entry) => textOrNothing(objectOf(entry)?.type)))
  const subject = { manifest, types, nowMs, ...(http === undefined ? {} : { url: http.url }) }
  findings.lookAll(MANIFEST_RULES, subject, where)
  const seen = new Set<string>()
  for (const [at, entry] of output.slice(0, ENTRIES_MAX).entries()) {
    const key = `${textOrNothing(objectOf(entry)?.type)} ${URL.parse(textOrNothing(objectOf(entry)?.url), base)?.href}`
    findings.lookAll(ENTRY_RULES, { entry, at, base, repeated: seen.has(key) }, excerptOf(where, entry))
    seen.add(key)
  }
}

/** More than any manifest may list. */
const ENTRIES_MAX = 20_000

function excerptOf(where: Where, entry: unknown): Where {
  return { ...where, excerpt: () => shown(entry) }
}

async function lookAtHttp(
  { name, http }: OpenedManifest,
  bytes: number,
  { feed, findings }: ManifestParts,
): Promise<void> {
  if (http === undefined) return
  const ignoresValidators = await feed.ignoresValidators()
  const subject = {
    role: 'manifest',
    ...http,
    bytes,
    ...(ignoresValidators === undefined ? {} : { ignoresValidators }),
  } as const
  findings.lookAll(HTTP_RULES, subject, { file: name })
}
