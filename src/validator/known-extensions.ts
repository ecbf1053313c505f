/** Where the extensions of the vaccine specification and of the general draft have their names. */
export const OLD_ROOT = 'http://fhir-registry.smarthealthit.org/StructureDefinition/'

/** Where those of the HL7 guide have theirs. */
export const GUIDE_ROOT = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/'

/** An extension that a generation defines, and what it is defined for. */
export interface KnownExtension {
  readonly types: readonly string[]
  readonly repeats: boolean
  /** The HL7 guide defines it. */
  readonly inGuide: boolean
}

/** By the last part of their URLs. Without a prototype, so that an extension called `constructor` is only unknown. */
export const KNOWN_EXTENSIONS: Readonly<Record<string, KnownExtension | undefined>> = Object.assign(
  Object.create(null),
  {
    'booking-deep-link': { types: ['Slot'], repeats: false, inGuide: true },
    'booking-phone': { types: ['Slot'], repeats: false, inGuide: true },
    'slot-capacity': { types: ['Slot'], repeats: false, inGuide: false },
    'patient-type': { types: ['Slot'], repeats: false, inGuide: true },
    characteristic: { types: ['Slot', 'HealthcareService'], repeats: true, inGuide: false },
    channel: { types: ['Slot'], repeats: true, inGuide: false },
    'virtual-service': { types: ['Slot', 'Location'], repeats: true, inGuide: false },
    'virtual-service-base': { types: ['Slot', 'Location'], repeats: true, inGuide: false },
    'licensed-states': { types: ['Location'], repeats: true, inGuide: true },
    'schedule-specialty': { types: ['Schedule'], repeats: true, inGuide: true },
    specialty: { types: ['Schedule'], repeats: true, inGuide: false },
    'has-availability': { types: ['Schedule'], repeats: true, inGuide: false },
    'vaccine-product': { types: ['Schedule'], repeats: true, inGuide: false },
    'vaccine-dose': { types: ['Schedule'], repeats: true, inGuide: false },
  } satisfies Record<string, KnownExtension>,
)

/** True for the URL of an extension below one of the two roots. */
export function isKnownRoot(url: unknown): boolean {
  return typeof url === 'string' && (url.startsWith(OLD_ROOT) || url.startsWith(GUIDE_ROOT))
}

/** True for the very URL that a generation gives to the extension of that name. */
export function isKnownUrl(url: unknown, name: string): boolean {
  return url === OLD_ROOT + name || url === GUIDE_ROOT + name
}

/** True for a name that only case, hyphens and the like tell from one that is known. */
export function isMisspelt(name: string): boolean {
  return name.length <= 40 && LETTERS.has(lettersOf(name))
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

const LETTERS: ReadonlySet<string> = new Set(
  Object.keys(KNOWN_EXTENSIONS)
    .filter((name) => name.includes('-'))
    .map(lettersOf),
)
