import { isUtf8 } from 'node:buffer'
import { type Directory, isDirectoryType } from '../feeds/fhir/directory.ts'
import { parseResource } from '../feeds/fhir/parse-resource.ts'
import { parseReference } from '../feeds/fhir/reference.ts'
import type { LineBatch } from '../feeds/http/lines.ts'
import { InvalidData } from '../feeds/invalid-data.ts'
import type { ListedFile } from '../feeds/smart-links/manifest.ts'
import { asObject, type Json } from '../lib/json.ts'
import { type CheckedDraft, type Pass, type Places, SLOT_TWICE_REASON } from './checked-draft.ts'
import type { Findings } from './findings.ts'
import type { GenerationEvidence } from './generation-evidence.ts'
import { got } from './quoted-value.ts'
import { shapeOf } from './r4-structure.ts'
import type { References } from './references.ts'
import type { Where } from './rule.ts'
import { CONTENT_RULES } from './rules/content-rules.ts'
import { PEOPLE_RULES, SCHEDULE_RULES } from './rules/directory-rules.ts'
import { EXTENSION_RULES } from './rules/extension-rules.ts'
import { extensionsOf } from './rules/extension-subject.ts'
import { LOCATION_RULES, locationSubject } from './rules/location-rules.ts'
import { LINE_RULES, NOT_JSON } from './rules/ndjson-rules.ts'
import {
  ELSEWHERE,
  PUBLISHED_TWICE,
  REJECTED,
  REPEATED,
  RESOURCE_RULES,
  type ResourceSubject,
  WRONG_TYPE,
} from './rules/resource-rules.ts'
import { SLOT_RULES } from './rules/slot-rules.ts'

/** What the files of a feed are checked with. */
export interface CheckParts {
  readonly findings: Findings
  readonly draft: CheckedDraft
  readonly directory: Directory
  readonly references: References
  readonly evidence: GenerationEvidence
  readonly nowMs: number
  /** Files without their Schedules: one is made up for each slot that names one. */
  readonly standsAlone: boolean
}

interface ParsedLine {
  readonly line: number
  readonly text: string
  readonly resource: Json | undefined
  /** It parses only with its control characters escaped. */
  readonly hasControls: boolean
  readonly type: string | undefined
}

/** Checks the lines of one file beside the readers of a sync, which decide what becomes of them. */
export class FileCheck {
  readonly #parts: CheckParts
  readonly #file: ListedFile
  readonly #name: string
  readonly #pass: Pass
  /** Lines of Slots, without those that belong to the other pass. */
  slotLines = 0
  /** Lines that are not blank. */
  lines = 0
  blankLines = 0
  /** Types of ours that were met. */
  readonly typesMet = new Set<string>()

  constructor(parts: CheckParts, file: ListedFile, name: string, pass: Pass) {
    this.#parts = parts
    this.#file = file
    this.#name = name
    this.#pass = pass
  }

  /** `read` hands the lines to the reader of a sync. Throws what that throws. */
  take(batch: LineBatch, read: (batch: LineBatch) => void): void {
    const { draft, findings, standsAlone } = this.#parts
    const parsed = this.#parseAll(batch)
    if (standsAlone && this.#pass === 'slots') this.#makeUpSchedules(parsed)
    draft.turnTo(this.#placesOf(batch), this.#pass)
    read(batch)
    for (const one of parsed) {
      if (!this.#belongs(one)) continue
      if (this.#pass === 'slots') this.slotLines++
      const before = findings.errors
      this.#checkLine(one, batch)
      const reason = draft.rejectionOf(one.line)
      if (reason !== undefined && reason !== SLOT_TWICE_REASON && findings.errors === before)
        this.#explain(one, reason)
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
      const { resource, hasControls } = batch.overlong.has(at) ? NOTHING : parsePlain(text)
      const type = this.#typeOf(resource)
      if (type !== undefined && isRead(type)) this.typesMet.add(type)
      parsed.push({ line: batch.first + at, text, resource, hasControls, type })
    }
    return parsed
  }

  /** As the readers judge it. */
  #typeOf(resource: Json | undefined): string | undefined {
    const { resourceType } = resource ?? {}
    if (typeof resourceType === 'string') return resourceType
    if (resource === undefined || (resourceType !== undefined && resourceType !== null)) return undefined
    if (this.#pass === 'slots') return 'Slot'
    return this.#file.types.length === 1 ? this.#file.types[0] : undefined
  }

  /** Of a file of several types, each line is told of in one pass; what is of no type, in the second. */
  #belongs({ type }: ParsedLine): boolean {
    const { types } = this.#file
    const isMixed = types.length > 1 && types.includes('Slot')
    return !isMixed || isDirectoryType(type) === (this.#pass === 'directory')
  }

  #checkLine({ resource, type, line, text, hasControls }: ParsedLine, batch: LineBatch): void {
    const { findings, draft } = this.#parts
    const where = this.#where(line, text)
    const at = line - batch.first
    const overlong = batch.overlong.has(at)
    findings.lookAll(LINE_RULES, { text, overlong, malformed: !isUtf8(batch.lines[at]), hasControls }, where)
    if (resource !== undefined) this.#checkResource(resource, type, where)
    else if (!overlong)
      findings.note(NOT_JSON, where, draft.rejectionOf(line) ?? 'line: got "no JSON object"')
  }

  #checkResource(resource: Json, type: string | undefined, where: Where): void {
    const { findings, evidence, nowMs } = this.#parts
    const { types } = this.#file
    if (type === undefined || !isRead(type) || (type !== 'Slot') !== (this.#pass === 'directory')) {
      findings.note(WRONG_TYPE, where, got('resourceType', resource.resourceType))
      return
    }
    if (!types.includes(type))
      findings.note(ELSEWHERE, where, `resourceType: got "${type}" in a file of ${types.join(', ')}`)
    evidence.look(type, resource)
    const subject: ResourceSubject = { type, resource, shape: shapeOf(type, resource), types, nowMs }
    findings.lookAll(RESOURCE_RULES, subject, where)
    findings.lookAll(CONTENT_RULES, subject, where)
    for (const extension of extensionsOf(type, resource)) findings.lookAll(EXTENSION_RULES, extension, where)
    this.#checkByType(subject, where)
    if (type !== 'Slot') this.#noteDefined(type, resource, where)
  }

  /** One that differs from the first is rejected, which another rule tells of. */
  #noteDefined(type: string, resource: Json, where: Where): void {
    const { findings, references, draft } = this.#parts
    const line = where.line ?? 0
    const first = references.look(type, resource, { file: this.#name, line })
    if (first !== undefined && draft.rejectionOf(line) === undefined)
      findings.note(REPEATED, where, `${got('id', resource.id)} again, after ${first.file}:${first.line}`)
  }

  #checkByType(subject: ResourceSubject, where: Where): void {
    const { findings, directory, draft } = this.#parts
    const { type, resource } = subject
    if (type === 'Slot') {
      findings.lookAll(SLOT_RULES, { ...subject, directory }, where)
      if (typeof resource.id === 'string') draft.noteSourceId(resource.id, where)
    } else if (type === 'Location') findings.lookAll(LOCATION_RULES, locationSubject(subject), where)
    else if (type === 'Schedule') findings.lookAll(SCHEDULE_RULES, subject, where)
    else findings.lookAll(PEOPLE_RULES, subject, where)
  }

  #explain({ line, text }: ParsedLine, reason: string): void {
    const rule = /must be published once/.test(reason) ? PUBLISHED_TWICE : REJECTED
    this.#parts.findings.note(rule, this.#where(line, text), reason.replace(/^Cannot read the line: /, ''))
  }

  #makeUpSchedules(parsed: readonly ParsedLine[]): void {
    const { directory } = this.#parts
    for (const { resource, type } of parsed) {
      const target = type === 'Slot' ? parseReference(asObject(resource?.schedule) ?? {}) : undefined
      if (target === undefined || directory.find('Schedule', target) !== undefined) continue
      // An id that no Schedule can have is for its rule to tell.
      try {
        directory.put('Schedule', { id: target.id, actor: [] })
      } catch (fault) {
        if (!(fault instanceof InvalidData)) throw fault
      }
    }
  }

  #placesOf(batch: LineBatch): Places {
    return { where: (line) => this.#where(line, batch.lines[line - batch.first]) }
  }

  #where(line: number, text: string | Buffer | undefined): Where {
    return { file: this.#name, line, excerpt: () => String(text ?? '').slice(0, EXCERPT_READ_MAX) }
  }
}

/** More than is shown: a secret that begins in what is shown is to be known as one. */
const EXCERPT_READ_MAX = 3000

function isRead(type: string): boolean {
  return type === 'Slot' || isDirectoryType(type)
}

const NOTHING = { resource: undefined, hasControls: false }

/** As a lenient reader reads it. */
function parsePlain(text: string): { resource: Json | undefined; hasControls: boolean } {
  try {
    return { resource: asObject(JSON.parse(text)), hasControls: false }
  } catch {
    try {
      return { resource: parseResource(text, false), hasControls: true }
    } catch (fault) {
      if (fault instanceof InvalidData) return NOTHING
      throw fault
    }
  }
}
