import { isUtf8 } from 'node:buffer'
import { parseReference } from '../feeds/fhir/data-types.ts'
import { type Directory, isDirectoryResourceType } from '../feeds/fhir/directory.ts'
import { parseResource } from '../feeds/fhir/parse-resource.ts'
import type { LineBatch } from '../feeds/http/lines.ts'
import { InvalidData } from '../feeds/rejections.ts'
import type { ListedFile } from '../feeds/smart-links/manifest.ts'
import { asObject, type Json } from '../lib/json.ts'
import type { CheckedDraft, LineLocator, Pass } from './checked-draft.ts'
import { extensionsOf } from './extensions.ts'
import type { GenerationEvidence } from './generation-evidence.ts'
import { findStructureErrors } from './r4-structure.ts'
import type { References } from './references.ts'
import type { Findings } from './report.ts'
import { type FindingPosition, quote } from './rule.ts'
import { PEOPLE_RULES, SCHEDULE_RULES } from './rules/directory-rules.ts'
import { EXTENSION_RULES } from './rules/extension-rules.ts'
import { LINE_RULES, NOT_JSON } from './rules/file-rules.ts'
import { LOCATION_RULES, locationSubject } from './rules/location-rules.ts'
import { NOTED_RESOURCE_RULES, RESOURCE_RULES, type ResourceSubject } from './rules/resource-rules.ts'
import { NOTED_SLOT_RULES, SLOT_RULES } from './rules/slot-rules.ts'

/** What all files of a feed are checked with. */
export interface FileCheckOptions {
  readonly findings: Findings
  readonly draft: CheckedDraft
  readonly directory: Directory
  readonly references: References
  readonly evidence: GenerationEvidence
  readonly nowMs: number
  /** The input has no Schedules: a placeholder is added for each one that a slot names. */
  readonly assumesSchedules: boolean
}

interface ParsedLine {
  readonly line: number
  readonly text: string
  readonly resource: Json | undefined
  /** True if it parses only with its control characters escaped. */
  readonly hasControls: boolean
  readonly type: string | undefined
}

/** Checks the lines of a file while the parsers of a sync process them. */
export class FileCheck {
  readonly #options: FileCheckOptions
  readonly #file: ListedFile
  readonly #name: string
  readonly #pass: Pass
  /** Slot lines that belong to this pass. */
  slotLines = 0
  /** Lines that are not blank. */
  lines = 0
  blankLines = 0
  /** The supported types that occurred. */
  readonly typesFound = new Set<string>()

  constructor(options: FileCheckOptions, file: ListedFile, name: string, pass: Pass) {
    this.#options = options
    this.#file = file
    this.#name = name
    this.#pass = pass
  }

  /** Checks a batch; `read` passes it to the parser of a sync, whose errors are thrown. */
  take(batch: LineBatch, read: (batch: LineBatch) => void): void {
    const { draft, findings, assumesSchedules } = this.#options
    const parsed = this.#parseAll(batch)
    if (assumesSchedules && this.#pass === 'slots') this.#addPlaceholderSchedules(parsed)
    draft.startBatch(this.#locatorOf(batch), this.#pass)
    read(batch)
    for (const one of parsed) {
      if (!this.#belongs(one)) continue
      if (this.#pass === 'slots') this.slotLines++
      const before = findings.errors
      this.#checkLine(one, batch)
      const rejected = draft.rejectionAt(one.line)
      // Another rule reports duplicates.
      if (rejected !== undefined && rejected.code !== 'duplicate' && findings.errors === before)
        this.#explain(one, rejected.reason)
    }
  }

  #parseAll(batch: LineBatch): ParsedLine[] {
    const parsed: ParsedLine[] = []
    for (let at = 0; at < batch.lines.length; at++) {
      const text = batch.lines[at].toString()
      if (text.trim() === '') {
        this.blankLines++
        continue
      }
      this.lines++
      const { resource, hasControls } = batch.overlong.has(at) ? UNPARSED : parsePlain(text)
      const type = this.#typeOf(resource)
      if (type !== undefined && isSupported(type)) this.typesFound.add(type)
      parsed.push({ line: batch.first + at, text, resource, hasControls, type })
    }
    return parsed
  }

  /** The type as the parsers determine it. */
  #typeOf(resource: Json | undefined): string | undefined {
    const { resourceType } = resource ?? {}
    if (typeof resourceType === 'string') return resourceType
    if (resource === undefined || (resourceType !== undefined && resourceType !== null)) return undefined
    if (this.#pass === 'slots') return 'Slot'
    return this.#file.types.length === 1 ? this.#file.types[0] : undefined
  }

  /** Lines of a file with several types are each checked in one pass; lines without a type in the second. */
  #belongs({ type }: ParsedLine): boolean {
    const { types } = this.#file
    const isMixed = types.length > 1 && types.includes('Slot')
    return !isMixed || isDirectoryResourceType(type) === (this.#pass === 'directory')
  }

  #checkLine({ resource, type, line, text, hasControls }: ParsedLine, batch: LineBatch): void {
    const { findings, draft } = this.#options
    const where = this.#where(line, text)
    const at = line - batch.first
    const overlong = batch.overlong.has(at)
    findings.applyAll(LINE_RULES, { text, overlong, malformed: !isUtf8(batch.lines[at]), hasControls }, where)
    if (resource !== undefined) this.#checkResource(resource, type, where)
    else if (!overlong)
      findings.note(NOT_JSON, where, draft.rejectionAt(line)?.reason ?? 'the line is not a JSON object')
  }

  #checkResource(resource: Json, type: string | undefined, where: FindingPosition): void {
    const { findings, evidence, nowMs } = this.#options
    const { types } = this.#file
    if (type === undefined || !isSupported(type) || (type !== 'Slot') !== (this.#pass === 'directory')) {
      findings.note(NOTED_RESOURCE_RULES.wrongType, where, quote('resourceType', resource.resourceType))
      return
    }
    if (!types.includes(type))
      findings.note(
        NOTED_RESOURCE_RULES.typeNotListed,
        where,
        `resourceType: got "${type}" in a file of ${types.join(', ')}`,
      )
    evidence.add(type, resource)
    const subject: ResourceSubject = {
      type,
      resource,
      structureErrors: findStructureErrors(type, resource),
      types,
      nowMs,
    }
    findings.applyAll(RESOURCE_RULES, subject, where)
    for (const extension of extensionsOf(type, resource)) findings.applyAll(EXTENSION_RULES, extension, where)
    this.#checkByType(subject, where)
    if (type !== 'Slot') this.#noteRepeated(type, resource, where)
  }

  /** A resource that differs from the first one is rejected and reported by another rule. */
  #noteRepeated(type: string, resource: Json, where: FindingPosition): void {
    const { findings, references, draft } = this.#options
    const line = where.line ?? 0
    const first = references.add(type, resource, { file: this.#name, line })
    if (first === undefined || draft.rejectionAt(line) !== undefined) return
    const after = `${first.file}:${first.line}`
    findings.note(NOTED_RESOURCE_RULES.repeated, where, `${quote('id', resource.id)} again, after ${after}`)
  }

  #checkByType(subject: ResourceSubject, where: FindingPosition): void {
    const { findings, directory, draft } = this.#options
    const { type, resource } = subject
    if (type === 'Slot') {
      findings.applyAll(SLOT_RULES, { ...subject, directory }, where)
      if (typeof resource.id === 'string') draft.noteSourceId(resource.id, where)
    } else if (type === 'Location') findings.applyAll(LOCATION_RULES, locationSubject(subject), where)
    else if (type === 'Schedule') findings.applyAll(SCHEDULE_RULES, subject, where)
    else findings.applyAll(PEOPLE_RULES, subject, where)
  }

  #explain({ line, text }: ParsedLine, reason: string): void {
    const rule = EXPLAINED.find(([pattern]) => pattern.test(reason))?.[1] ?? NOTED_RESOURCE_RULES.rejected
    this.#options.findings.note(rule, this.#where(line, text), reason.replace(/^Cannot read the line: /, ''))
  }

  #addPlaceholderSchedules(parsed: readonly ParsedLine[]): void {
    const { directory } = this.#options
    for (const { resource, type } of parsed) {
      const target = type === 'Slot' ? parseReference(asObject(resource?.schedule) ?? {}) : undefined
      if (target === undefined || directory.find('Schedule', target) !== undefined) continue
      // Invalid ids are reported by their own rule.
      try {
        directory.put('Schedule', { id: target.id, actor: [] })
      } catch (error) {
        if (!(error instanceof InvalidData)) throw error
      }
    }
  }

  #locatorOf(batch: LineBatch): LineLocator {
    return { where: (line) => this.#where(line, batch.lines[line - batch.first]) }
  }

  #where(line: number, text: string | Buffer | undefined): FindingPosition {
    return { file: this.#name, line, excerpt: () => String(text ?? '').slice(0, EXCERPT_READ_MAX) }
  }
}

/** The rules of rejections by their reason. */
const EXPLAINED = [
  [/must be published once/, NOTED_RESOURCE_RULES.publishedTwice],
  [/bytes of JSON together/, NOTED_SLOT_RULES.offeringTooLarge],
] as const

/** Longer than the excerpt shown, so that a secret at its end is recognized and redacted. */
const EXCERPT_READ_MAX = 3000

function isSupported(type: string): boolean {
  return type === 'Slot' || isDirectoryResourceType(type)
}

const UNPARSED = { resource: undefined, hasControls: false }

/** Parses as leniently as possible. */
function parsePlain(text: string): { resource: Json | undefined; hasControls: boolean } {
  try {
    return { resource: asObject(JSON.parse(text)), hasControls: false }
  } catch {
    try {
      return { resource: parseResource(text, false), hasControls: true }
    } catch (error) {
      if (error instanceof InvalidData) return UNPARSED
      throw error
    }
  }
}

/** Observes the bytes of a file as they are read. */
export class ObservedBody {
  bytes = 0
  /** Lines that end in `\r\n`. */
  crlfLines = 0
  hasByteOrderMark = false
  #prefix: Buffer = Buffer.alloc(0)
  #last = NEWLINE

  get endsWithNewline(): boolean {
    return this.#last === NEWLINE
  }

  /** True if the decoded content is still gzip. */
  get isGzip(): boolean {
    return this.#prefix[0] === 0x1f && this.#prefix[1] === 0x8b
  }

  /** True if it begins with a bracket on a separate line, like a pretty-printed document. */
  get isPretty(): boolean {
    return /^\ufeff?\s*[{[][ \t]*\r?\n/.test(this.#prefix.toString())
  }

  /** Yields the chunks unchanged. */
  async *observe(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      this.#add(chunk)
      yield chunk
    }
  }

  #add(chunk: Buffer): void {
    if (chunk.length === 0) return
    if (this.#prefix.length < PREFIX_BYTES)
      this.#prefix = Buffer.concat([this.#prefix, chunk.subarray(0, PREFIX_BYTES)]).subarray(0, PREFIX_BYTES)
    if (this.bytes < 3) this.hasByteOrderMark = this.#prefix.subarray(0, 3).equals(BYTE_ORDER_MARK)
    if (this.#last === RETURN && chunk[0] === NEWLINE) this.crlfLines++
    for (let at = chunk.indexOf('\r\n'); at >= 0; at = chunk.indexOf('\r\n', at + 2)) this.crlfLines++
    this.bytes += chunk.length
    this.#last = chunk[chunk.length - 1]
  }
}

const NEWLINE = 10
const RETURN = 13
const PREFIX_BYTES = 256
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
