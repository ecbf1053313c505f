import type { Directory } from '../feeds/fhir/directory.ts'
import { parseReference, type Target } from '../feeds/fhir/reference.ts'
import type { DirectoryType } from '../feeds/fhir/resources.ts'
import { asText, type Json } from '../lib/json.ts'
import type { Findings } from './findings.ts'
import {
  DANGLING,
  RESOURCE_UNUSED,
  SCHEDULE_UNUSED,
  SCHEDULE_WITHOUT_PLACE,
} from './rules/directory-rules.ts'
import { referencesOf } from './rules/resource-rules.ts'
import type { ServedCounts } from './served-counts.ts'

const TYPES: readonly DirectoryType[] = [
  'Location',
  'Schedule',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
]

/** Where something is, small enough to keep one for each resource of a directory. */
interface Spot {
  readonly file: string
  readonly line: number
}

/**
 * What the resources of the directory are and what they refer to. What is referred to may come later, so both are
 * judged once all are read. As large as the directory, which is bounded.
 */
export class References {
  readonly #defined = new Map<string, Spot>()
  readonly #wanted = new Map<
    string,
    { readonly target: Target; readonly path: string; readonly from: Spot; count: number }
  >()

  /** Returns where a resource of this type and id was before, if one was. */
  look(type: string, resource: Json, spot: Spot): Spot | undefined {
    const name = `${type}/${asText(resource.id) ?? ''}`
    const before = this.#defined.get(name)
    if (before === undefined && !name.endsWith('/')) this.#defined.set(name, spot)
    for (const { path, reference } of referencesOf(type, resource)) {
      const target = parseReference(reference)
      if (target === undefined) continue
      const key = `${target.type ?? ''}/${target.id}`
      const known = this.#wanted.get(key)
      if (known === undefined) this.#wanted.set(key, { target, path, from: spot, count: 1 })
      else known.count++
    }
    return before
  }

  /** True if there is a resource of this type. */
  has(type: string): boolean {
    for (const name of this.#defined.keys()) if (name.startsWith(`${type}/`)) return true
    return false
  }

  /**
   * Of the whole directory: references that lead nowhere, Schedules that lead to no place. Returns the types that were
   * referred to and of which nothing is there: what leads to them is not judged.
   */
  judge(directory: Directory, findings: Findings, isThere: (type: string) => boolean): string[] {
    const untold = new Set<string>()
    for (const { target, path, from, count } of this.#wanted.values()) {
      const isOurs = target.type === undefined || TYPES.some((type) => type === target.type)
      if (isOurs && target.type !== undefined && !isThere(target.type)) {
        untold.add(target.type)
        continue
      }
      if (!isOurs || TYPES.some((type) => directory.find(type, target) !== undefined)) continue
      const more = count > 1 ? `, ${count} times` : ''
      findings.note(DANGLING, from, `${path}: got "${nameOf(target)}"${more}`)
    }
    if (untold.size > 0) return [...untold].sort()
    for (const [name, spot] of this.#defined) {
      if (name.startsWith('Schedule/') && !leadsToPlace(name, directory))
        findings.note(SCHEDULE_WITHOUT_PLACE, spot, `actor: got "no Location" for ${name.slice(0, 80)}`)
    }
    return []
  }

  /** Of the whole feed: what nothing refers to. */
  judgeUse(counts: ServedCounts, findings: Findings): void {
    const bare = new Set(
      [...this.#wanted.values()]
        .filter(({ target }) => target.type === undefined)
        .map(({ target }) => target.id),
    )
    for (const [name, spot] of this.#defined) {
      const id = name.slice(name.indexOf('/') + 1)
      if (name.startsWith('Schedule/')) {
        if (!counts.hasSlots(id))
          findings.note(SCHEDULE_UNUSED, spot, `slots of ${name.slice(0, 80)}: got "none"`)
      } else if (!this.#wanted.has(name) && !bare.has(id)) {
        findings.note(RESOURCE_UNUSED, spot, `references to ${name.slice(0, 80)}: got "none"`)
      }
    }
  }
}

function nameOf({ type, id }: Target): string {
  return `${type ?? ''}/${id}`.slice(0, 80)
}

function leadsToPlace(name: string, directory: Directory): boolean {
  try {
    const { location, serviceStates, isVirtual } = directory.schedule({ reference: name }).plain()
    return location !== undefined || serviceStates !== undefined || isVirtual
  } catch {
    // A strict directory refuses the Schedule; each of its slots tells why.
    return true
  }
}
