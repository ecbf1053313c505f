import { extensionName } from '../feeds/fhir/data-types.ts'
import { asObject, type Json, objectsIn } from '../lib/json.ts'
import type { Generation } from '../shared/check-report-labels.ts'
import { GUIDE_ROOT, OLD_ROOT } from './extensions.ts'
import { stringOrEmpty } from './rule.ts'

/** The detected generation of a feed, with the evidence. */
interface DetectedGeneration {
  /** Absent if there is no evidence. */
  readonly generation?: Generation
  /** Observations with counts: `extension vaccine-product, 12 times`. */
  readonly evidence: readonly string[]
}

const GUIDE_CANONICAL = 'http://hl7.org/fhir/uv/smart-scheduling-links/'

/** Extensions of the older root that only the vaccine specification has. */
const OF_VACCINES: ReadonlySet<string> = new Set(['vaccine-product', 'vaccine-dose', 'slot-capacity'])

/** Detects the generation from the roots of extensions, profiles and references. */
export class GenerationEvidence {
  readonly #seen = new Map<string, number>()
  guideExtensions = 0
  olderExtensions = 0

  /** Counts the evidence in a resource. */
  add(type: string, resource: Json): void {
    const { extension, meta } = resource
    if (Array.isArray(extension)) for (const one of extension) this.#addUrl(asObject(one)?.url)
    if (meta !== undefined) this.#addProfiles(asObject(meta)?.profile)
    if (type === 'Schedule') this.#addReferences(resource)
    else if (type === 'PractitionerRole' || type === 'HealthcareService') this.#count('draft', `a ${type}`)
  }

  /** The newest generation with evidence. */
  detect(): DetectedGeneration {
    const of = (kind: string) => [...this.#seen].filter(([key]) => key.startsWith(`${kind} `))
    const guide = of('guide')
    const draft = of('draft')
    const older = of('older')
    const [generation, seen] =
      guide.length > 0
        ? (['stu1', guide] as const)
        : older.length > 0 && draft.length > 0
          ? (['draft-2025', [...draft, ...older]] as const)
          : older.length > 0
            ? (['vaccine-2021', older] as const)
            : ([undefined, []] as const)
    const evidence = seen.map(([key, count]) => `${key.slice(key.indexOf(' ') + 1)}, ${times(count)}`)
    return { ...(generation === undefined ? {} : { generation }), evidence: evidence.slice(0, 8) }
  }

  #addUrl(url: unknown): void {
    if (typeof url !== 'string') return
    if (url.startsWith(GUIDE_ROOT)) {
      this.guideExtensions++
      this.#count('guide', `extension ${extensionName(url)} of the guide`)
    } else if (url.startsWith(OLD_ROOT)) {
      this.olderExtensions++
      const name = extensionName(url)
      this.#count(name === 'specialty' ? 'draft' : 'older', `extension ${name}`)
      if (name === 'specialty') this.#count('older', 'extension of the older root')
      else if (OF_VACCINES.has(name)) this.#count('older', 'extension of the vaccine specification')
    }
  }

  #addProfiles(profile: unknown): void {
    const profiles = Array.isArray(profile) ? profile : [profile]
    if (profiles.some((one) => typeof one === 'string' && one.startsWith(GUIDE_CANONICAL)))
      this.#count('guide', 'profile of the guide')
  }

  #addReferences({ actor, serviceType }: Json): void {
    const references = objectsIn(actor).map(({ reference }) => stringOrEmpty(reference))
    if (references.some((reference) => /(?:^|\/)PractitionerRole\//.test(reference)))
      this.#count('draft', 'a Schedule of a PractitionerRole')
    const codes = objectsIn(serviceType).flatMap(({ coding }) => objectsIn(coding).map(({ code }) => code))
    if (codes.includes('covid19-immunization')) this.#count('older', 'service type covid19-immunization')
  }

  /** Bounded, because a feed may contain any number of names. */
  #count(kind: string, observation: string): void {
    const key = `${kind} ${observation.slice(0, 100)}`
    const before = this.#seen.get(key)
    if (before !== undefined || this.#seen.size < 100) this.#seen.set(key, (before ?? 0) + 1)
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
