import { parseReference, type Target } from '../feeds/fhir/data-types.ts'
import type { Directory } from '../feeds/fhir/directory.ts'
import type { DirectoryResourceType } from '../feeds/fhir/resources.ts'
import { asText, type Json, objectsIn, textsIn } from '../lib/json.ts'
import type { ServedCounts } from './checked-draft.ts'
import type { Findings } from './report.ts'
import { NOTED_DIRECTORY_RULES } from './rules/directory-rules.ts'
import { referencesOf } from './rules/resource-rules.ts'

const TYPES: readonly DirectoryResourceType[] = [
  'Location',
  'Schedule',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
]

/** The position of a line; one is kept for each resource of the directory. */
interface LinePosition {
  readonly file: string
  readonly line: number
}

/** The resources of the directory and their references, assessed when all are read. Bounded like the directory. */
export class References {
  readonly #defined = new Map<string, LinePosition>()
  readonly #referenced = new Map<
    string,
    { readonly target: Target; readonly path: string; readonly from: LinePosition; count: number }
  >()

  /** The names of each Location. */
  readonly #names = new Map<string, LocationNames>()
  /** The display names that Schedules give their Locations. */
  readonly #displays: { name: string; path: string; display: string; from: LinePosition }[] = []

  /** Adds a resource; returns the position of an earlier one with the same type and id. */
  add(type: string, resource: Json, position: LinePosition): LinePosition | undefined {
    const name = `${type}/${asText(resource.id) ?? ''}`
    const earlier = this.#defined.get(name)
    if (earlier === undefined && !name.endsWith('/')) this.#defined.set(name, position)
    if (type === 'Location') this.#names.set(name, namesOf(resource))
    for (const { path, reference } of referencesOf(type, resource)) {
      const target = parseReference(reference)
      if (target === undefined) continue
      const display = asText(reference.display)
      if (type === 'Schedule' && target.type === 'Location' && display !== undefined)
        this.#displays.push({ name: `Location/${target.id}`, path, display, from: position })
      const key = `${target.type ?? ''}/${target.id}`
      const known = this.#referenced.get(key)
      if (known === undefined) this.#referenced.set(key, { target, path, from: position, count: 1 })
      else known.count++
    }
    return earlier
  }

  /** True if a resource of this type exists. */
  has(type: string): boolean {
    for (const name of this.#defined.keys()) if (name.startsWith(`${type}/`)) return true
    return false
  }

  /**
   * Reports dangling references and Schedules without a Location. Returns the referenced types that are missing from the
   * input; references to them are not assessed.
   */
  assess(directory: Directory, findings: Findings, isPresent: (type: string) => boolean): string[] {
    const missingTypes = new Set<string>()
    for (const { target, path, from, count } of this.#referenced.values()) {
      const isSupported = target.type === undefined || TYPES.some((type) => type === target.type)
      if (isSupported && target.type !== undefined && !isPresent(target.type)) {
        missingTypes.add(target.type)
        continue
      }
      if (!isSupported || TYPES.some((type) => directory.find(type, target) !== undefined)) continue
      const more = count > 1 ? `, ${count} times` : ''
      findings.note(NOTED_DIRECTORY_RULES.dangling, from, `${path}: got "${nameOf(target)}"${more}`)
    }
    this.#assessDisplays(findings)
    if (missingTypes.size > 0) return [...missingTypes].sort()
    const { withoutLocation } = NOTED_DIRECTORY_RULES
    for (const [name, position] of this.#defined) {
      if (name.startsWith('Schedule/') && !hasLocationOrState(name, directory))
        findings.note(withoutLocation, position, `actor: no Location for ${name.slice(0, 80)}`)
    }
    return []
  }

  /** Reports displays that have no telling word in common with the Location, or are the name of another one. */
  #assessDisplays(findings: Findings): void {
    if (this.#displays.length === 0) return
    const known = new Set([...this.#names.values()].map(({ own }) => own))
    for (const { name, path, display, from } of this.#displays) {
      const names = this.#names.get(name)
      if (names === undefined || names.own === '' || isNameOf(names, display, known)) continue
      const found = `${path.replace(/reference$/, 'display')}: got "${display.slice(0, 80)}" of "${names.own.slice(0, 80)}"`
      findings.note(NOTED_DIRECTORY_RULES.displayElsewhere, from, found)
    }
  }

  /** Reports resources without references, and Schedules without slots. */
  findUnused(counts: ServedCounts, findings: Findings): void {
    const { scheduleUnused, resourceUnused } = NOTED_DIRECTORY_RULES
    const idsOnly = new Set(
      [...this.#referenced.values()].filter(({ target }) => target.type === undefined).map(({ target }) => target.id),
    )
    for (const [name, position] of this.#defined) {
      const id = name.slice(name.indexOf('/') + 1)
      if (name.startsWith('Schedule/')) {
        if (!counts.hasSlots(id)) findings.note(scheduleUnused, position, `${name.slice(0, 80)} has no slots`)
      } else if (!this.#referenced.has(name) && !idsOnly.has(id)) {
        findings.note(resourceUnused, position, `${name.slice(0, 80)} has no references`)
      }
    }
  }
}

/** The names of a Location. */
interface LocationNames {
  /** Its name; empty if it has none. */
  readonly own: string
  /** The words of its name, aliases, description and address. */
  readonly words: ReadonlySet<string>
}

function namesOf({ name, alias, description, address }: Json): LocationNames {
  const { text, line, city, district, state } = objectsIn(address)[0] ?? {}
  const all = [name, alias, description, text, line, city, district, state].flatMap(
    (one) => asText(one) ?? textsIn(one),
  )
  return { own: asText(name) ?? '', words: new Set(all.flatMap(wordsOf)) }
}

function isNameOf({ own, words }: LocationNames, display: string, known: ReadonlySet<string>): boolean {
  if (display === own) return true
  const shown = wordsOf(display)
  const sharesWord = shown.some((word) => words.has(word))
  return (sharesWord && !known.has(display)) || shown.length === 0 || wordsOf(own).length === 0
}

/** The words of a name that tell it from others, without marks and case. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON_WORDS.has(word))
}

const COMMON_WORDS: ReadonlySet<string> = new Set(
  'a and at in of on the center centre clinic clinics hospital medical medicine health healthcare care pharmacy office practice st street'.split(
    ' ',
  ),
)

function nameOf({ type, id }: Target): string {
  return `${type ?? ''}/${id}`.slice(0, 80)
}

function hasLocationOrState(name: string, directory: Directory): boolean {
  try {
    const { serviceStates, isVirtual, details, location } = directory.schedule({ reference: name }).plain()
    const isPlaced = (details?.resources?.Location ?? location) !== undefined
    return isPlaced || serviceStates !== undefined || isVirtual
  } catch {
    // A strict directory rejects the Schedule; the rejection of each slot states the reason.
    return true
  }
}
