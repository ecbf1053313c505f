import { extensionName } from '../feeds/fhir/data-types.ts'
import { asObject, type Json } from '../lib/json.ts'

/** One extension of a resource. */
export interface ExtensionSubject {
  /** The type of the resource. */
  readonly type: string
  readonly extension: Json
  readonly at: number
  /** The last part of its URL. */
  readonly name: string
  /** True if an earlier extension has the same name. */
  readonly repeated: boolean
}

/** The extensions of a resource, as rules see them. */
export function extensionsOf(type: string, resource: Json): ExtensionSubject[] {
  const { extension: list } = resource
  if (!Array.isArray(list)) return []
  const seen = new Set<string>()
  return list.flatMap((one, at) => {
    const extension = asObject(one)
    if (extension === undefined) return []
    const name = extensionName(extension.url)
    const repeated = seen.has(name)
    seen.add(name)
    return [{ type, extension, at, name, repeated }]
  })
}

/** The name of the first value of an extension, such as `valueUrl`. */
export function valueKeyOf(extension: Json): string | undefined {
  return Object.keys(extension).find((key) => /^value[A-Z]/.test(key))
}

/** The URL root of extensions of the vaccine specification and the general draft. */
export const OLD_ROOT = 'http://fhir-registry.smarthealthit.org/StructureDefinition/'

/** The URL root of extensions of the HL7 guide. */
export const GUIDE_ROOT = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/'

/** An extension that a generation defines, with its resource types. */
export interface KnownExtension {
  readonly types: readonly string[]
  readonly repeats: boolean
  /** The HL7 guide defines it. */
  readonly inGuide: boolean
  /** No generation defines it, so each publisher has its own URL for it. */
  readonly anyRoot: boolean
}

/** By the last part of the URL. Without a prototype, so that an extension called `constructor` is unknown. */
export const KNOWN_EXTENSIONS: Readonly<Record<string, KnownExtension | undefined>> = Object.assign(
  Object.create(null),
  {
    'booking-deep-link': { types: ['Slot'], repeats: false, inGuide: true, anyRoot: false },
    'booking-phone': { types: ['Slot'], repeats: false, inGuide: true, anyRoot: false },
    'slot-capacity': { types: ['Slot'], repeats: false, inGuide: false, anyRoot: false },
    'patient-type': { types: ['Slot'], repeats: false, inGuide: true, anyRoot: false },
    characteristic: { types: ['Slot', 'HealthcareService'], repeats: true, inGuide: false, anyRoot: false },
    channel: { types: ['Slot'], repeats: true, inGuide: false, anyRoot: true },
    'virtual-service': { types: ['Slot', 'Location'], repeats: true, inGuide: false, anyRoot: false },
    'virtual-service-base': { types: ['Slot', 'Location'], repeats: true, inGuide: false, anyRoot: false },
    'licensed-states': { types: ['Location'], repeats: true, inGuide: true, anyRoot: false },
    'schedule-specialty': { types: ['Schedule'], repeats: true, inGuide: true, anyRoot: false },
    specialty: { types: ['Schedule'], repeats: true, inGuide: false, anyRoot: false },
    'has-availability': { types: ['Schedule'], repeats: true, inGuide: false, anyRoot: false },
    'vaccine-product': { types: ['Schedule'], repeats: true, inGuide: false, anyRoot: false },
    'vaccine-dose': { types: ['Schedule'], repeats: true, inGuide: false, anyRoot: false },
  } satisfies Record<string, KnownExtension>,
)

/** True for the URL of an extension below one of the two roots. */
export function hasKnownRoot(url: unknown): boolean {
  return typeof url === 'string' && (url.startsWith(OLD_ROOT) || url.startsWith(GUIDE_ROOT))
}

/** True for the exact URL of a known extension. */
export function isKnownUrl(url: unknown, name: string): boolean {
  return url === OLD_ROOT + name || url === GUIDE_ROOT + name
}

/** True for a name that differs from a known one only in case and punctuation. */
export function isMisspelt(name: string): boolean {
  return name.length <= 40 && LETTERS.has(lettersOf(name))
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

const LETTERS: ReadonlySet<string> = new Set(
  Object.keys(KNOWN_EXTENSIONS)
    .filter((name) => name.includes('-'))
    .map(lettersOf),
)
