import { extensionName } from '../feeds/fhir/extension.ts'
import { asObject, type Json, objectsIn } from '../lib/json.ts'
import type { Generation } from '../shared/check-report-labels.ts'
import { GUIDE_ROOT, OLD_ROOT } from './known-extensions.ts'
import { textOrNothing } from './quoted-value.ts'

/** Which generation a feed is of, and what says so. */
export interface Verdict {
  /** Absent if nothing says so. */
  readonly generation?: Generation
  /** What was seen, each with how often: `extension vaccine-product, 12 times`. */
  readonly evidence: readonly string[]
}

const GUIDE_CANONICAL = 'http://hl7.org/fhir/uv/smart-scheduling-links/'

/** Of the extensions of the older root, those that the vaccine specification alone has. */
const OF_VACCINES: ReadonlySet<string> = new Set(['vaccine-product', 'vaccine-dose', 'slot-capacity'])

/** Gathers what tells the generations apart: the roots of extensions, profiles, and what slots are joined by. */
export class GenerationEvidence {
  readonly #seen = new Map<string, number>()
  ofGuide = 0
  ofOlder = 0

  /** Looks at a resource. */
  look(type: string, resource: Json): void {
    const { extension, meta } = resource
    if (Array.isArray(extension)) for (const one of extension) this.#lookAtUrl(asObject(one)?.url)
    if (meta !== undefined) this.#lookAtProfiles(asObject(meta)?.profile)
    if (type === 'Schedule') this.#lookAtActors(resource)
    else if (type === 'PractitionerRole' || type === 'HealthcareService') this.#count('draft', `a ${type}`)
  }

  /** The newest generation that something speaks for. */
  verdict(): Verdict {
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

  #lookAtUrl(url: unknown): void {
    if (typeof url !== 'string') return
    if (url.startsWith(GUIDE_ROOT)) {
      this.ofGuide++
      this.#count('guide', `extension ${extensionName(url)} of the guide`)
    } else if (url.startsWith(OLD_ROOT)) {
      this.ofOlder++
      const name = extensionName(url)
      this.#count(name === 'specialty' ? 'draft' : 'older', `extension ${name}`)
      if (name === 'specialty') this.#count('older', 'extension of the older root')
      else if (OF_VACCINES.has(name)) this.#count('older', 'extension of the vaccine specification')
    }
  }

  #lookAtProfiles(profile: unknown): void {
    const profiles = Array.isArray(profile) ? profile : [profile]
    if (profiles.some((one) => typeof one === 'string' && one.startsWith(GUIDE_CANONICAL)))
      this.#count('guide', 'profile of the guide')
  }

  #lookAtActors({ actor, serviceType }: Json): void {
    const references = objectsIn(actor).map(({ reference }) => textOrNothing(reference))
    if (references.some((reference) => /(?:^|\/)PractitionerRole\//.test(reference)))
      this.#count('draft', 'a Schedule of a PractitionerRole')
    const codes = objectsIn(serviceType).flatMap(({ coding }) => objectsIn(coding).map(({ code }) => code))
    if (codes.includes('covid19-immunization')) this.#count('older', 'service type covid19-immunization')
  }

  /** A feed may invent names, but not without end. */
  #count(kind: string, what: string): void {
    const key = `${kind} ${what.slice(0, 100)}`
    const before = this.#seen.get(key)
    if (before !== undefined || this.#seen.size < 100) this.#seen.set(key, (before ?? 0) + 1)
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
