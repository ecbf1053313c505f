import { isUtf8 } from 'node:buffer'
import { parseReference } from '../feeds/fhir/data-types.ts'
import { type Directory, isDirectoryResourceType } from '../feeds/fhir/directory.ts'
import { parseResource } from '../feeds/fhir/parse-resource.ts'
import type { LineBatch } from '../feeds/http/lines.ts'
import { InvalidData, rejectionOf } from '../feeds/rejections.ts'
import { asObject, asText, type Json } from '../lib/json.ts'
import type { Profile } from '../shared/conformance-labels.ts'
import type { CheckedDraft, LineLocator, Pass } from './checked-draft.ts'
import { extensionsOf } from './extensions.ts'
import type { GenerationEvidence } from './generation-evidence.ts'
import type { PagedFile } from './manifest-check.ts'
import type { PlanningHorizons } from './planning-horizons.ts'
import { findStructureErrors } from './r4-structure.ts'
import type { References } from './references.ts'
import type { Findings } from './report.ts'
import { type FindingPosition, quote } from './rule.ts'
import { NOTED_PAGE_RULES } from './rules/bulk-publish-rules.ts'
import { CONTENT_RULES } from './rules/content-rules.ts'
import { PEOPLE_RULES, SCHEDULE_RULES } from './rules/directory-rules.ts'
import { EXTENSION_RULES } from './rules/extension-rules.ts'
import { LINE_RULES, NOT_JSON } from './rules/file-rules.ts'
import { LOCATION_RULES, locationSubject } from './rules/location-rules.ts'
import { NOTED_RESOURCE_RULES, RESOURCE_RULES, type ResourceSubject } from './rules/resource-rules.ts'
import { DIRECTORY_RESOURCE_RULES } from './rules/slot-directory-rules.ts'
import { NOTED_SLOT_RULES, SLOT_RULES } from './rules/slot-rules.ts'
import type { Versions } from './versions.ts'

/** The context in which all files of a feed are checked. */
export interface FileCheckOptions {
  readonly findings: Findings
  readonly draft: CheckedDraft
  readonly directory: Directory
  readonly references: References
  readonly horizons: PlanningHorizons
  readonly evidence: GenerationEvidence
  readonly nowMs: number
  /** True while the input has no Schedules: a placeholder is added for each one that a slot names. */
  assumesSchedules(): boolean
  /** Which version of a resource counts; absent if each is published once. */
  readonly versions?: Versions
  /** The rules of this profile apply too. */
  readonly profile?: Profile | undefined
}

interface ParsedLine {
  readonly line: number
  readonly text: string
  readonly resource: Json | undefined
  /** True if it parses only with its control characters escaped. */
  readonly hasControls: boolean
  readonly type: string | undefined
  /** Another version of it counts, or it is deleted. */
  readonly superseded: boolean
  /** Its type is not one of its file; files of older feeds may have other types. */
  readonly misplaced: boolean
}

/** Checks the lines of a file while the parsers of a sync process them. */
export class FileCheck {
  readonly #options: FileCheckOptions
  readonly #file: PagedFile
  readonly #name: string
  readonly #pass: Pass
  readonly #assumesSchedules: boolean
  /** Slot lines that belong to this pass. */
  slotLines = 0
  /** Lines that are not blank. */
  lines = 0
  blankLines = 0
  /** The supported types that occurred. */
  readonly typesFound = new Set<string>()

  constructor(options: FileCheckOptions, file: PagedFile, name: string, pass: Pass) {
    this.#options = options
    this.#file = file
    this.#name = name
    this.#pass = pass
    this.#assumesSchedules = pass === 'slots' && options.assumesSchedules()
    options.versions?.startFile()
  }

  /** Checks a batch; `read` passes it to the parser of a sync, whose errors are thrown. */
  take(batch: LineBatch, read: (batch: LineBatch) => void): void {
    const { draft, findings } = this.#options
    const parsed = this.#parseAll(batch)
    if (this.#assumesSchedules) this.#addPlaceholderSchedules(parsed)
    draft.startBatch(this.#locatorOf(batch), this.#pass)
    read(withoutIgnored(batch, parsed))
    for (const one of parsed) {
      if (!this.#belongs(one)) continue
      if (one.misplaced) this.#rejectMisplaced(one)
      if (this.#pass === 'slots') this.slotLines++
      if (one.superseded) {
        if (this.#pass === 'slots') draft.superseded++
        continue
      }
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
      const misplaced = this.#isMisplaced(type)
      const line = { line: batch.first + at, text, resource, hasControls, type, misplaced }
      parsed.push({ ...line, superseded: !misplaced && this.#isSuperseded(line) })
    }
    return parsed
  }

  #isMisplaced(type: string | undefined): boolean {
    return this.#options.versions !== undefined && type !== undefined && !this.#file.types.includes(type)
  }

  #rejectMisplaced({ line, type, text: sample }: ParsedLine): void {
    const error = new InvalidData(`resourceType must be ${this.#file.types.join(' or ')}: got "${type}"`)
    this.#options.draft.reject(rejectionOf(error, { what: 'line', file: this.#name, line, sample }))
  }

  #isSuperseded(parsed: Omit<ParsedLine, 'superseded' | 'misplaced'>): boolean {
    const { versions, findings } = this.#options
    const { resource, type } = parsed
    if (versions === undefined || type === undefined || !isSupported(type) || !this.#belongs(parsed)) return false
    const id = asText(resource?.id)
    if (id === undefined) return false
    const state = versions.add(`${type}/${id}`, this.#file.page)
    if (state === 'repeated')
      findings.note(NOTED_PAGE_RULES.repeated, this.#where(parsed.line, parsed.text), `${quote('id', id)} again`)
    return state !== 'current'
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
  #belongs({ type }: Pick<ParsedLine, 'type'>): boolean {
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
    const { findings, evidence, nowMs, profile } = this.#options
    const { types } = this.#file
    const isElsewhere = type === undefined || !isSupported(type) || (type !== 'Slot') !== (this.#pass === 'directory')
    if (isElsewhere || this.#isMisplaced(type)) {
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
    findings.applyAll(CONTENT_RULES, subject, where)
    if (profile !== undefined) findings.applyAll(DIRECTORY_RESOURCE_RULES, subject, where)
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
    const { findings, directory, horizons, draft } = this.#options
    const { type, resource } = subject
    if (type === 'Slot') {
      findings.applyAll(SLOT_RULES, { ...subject, directory, horizon: horizons.of(resource) }, where)
      if (typeof resource.id === 'string') draft.noteSourceId(resource.id, where)
    } else if (type === 'Location') findings.applyAll(LOCATION_RULES, locationSubject(subject), where)
    else if (type === 'Schedule') {
      findings.applyAll(SCHEDULE_RULES, subject, where)
      horizons.add(resource)
    } else findings.applyAll(PEOPLE_RULES, subject, where)
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

/** The batch with blank lines in place of those that a sync does not read. */
function withoutIgnored(batch: LineBatch, parsed: readonly ParsedLine[]): LineBatch {
  const ignored = new Set(parsed.filter((one) => one.superseded || one.misplaced).map(({ line }) => line))
  if (ignored.size === 0) return batch
  return { ...batch, lines: batch.lines.map((bytes, at) => (ignored.has(batch.first + at) ? BLANK : bytes)) }
}

const BLANK = Buffer.alloc(0)

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
