import { asObject, asText, type Json, objectsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Coding, Identifier, ResourceDetails } from '../../slot/slot.ts'
import { codingOf, conceptOf, currentIdentifiers, extensions, valueCode } from './data-types.ts'

/** The elements that all resource types share. */
export interface Described {
  readonly details: ResourceDetails
  /** In which one can communicate. */
  readonly languages?: readonly Coding[]
}

/** The limits bound an offering, which many slots share. */
const LIST_MAX = 10
const TEXT_LENGTH_MAX = 200

/** Reads identifiers, labels and languages: at most 10 of each, of 200 characters. */
export function describe(resource: Json, id?: string): Described {
  const meta = asObject(resource.meta) ?? {}
  const details = defined({
    id,
    identifier: identifiersIn(resource.identifier),
    tag: codingsIn(meta.tag),
    security: codingsIn(meta.security),
    availability: availabilityOf(resource),
  })
  return { details, ...defined({ languages: languagesIn(resource.communication) }) }
}

function availabilityOf(resource: Json): string | undefined {
  const [extension] = extensions(resource, 'has-availability')
  const code = extension && valueCode(extension)
  return code !== undefined && code.length <= TEXT_LENGTH_MAX ? code : undefined
}

/** Current identifiers with a value: at most 10 of 200 characters. */
export function identifiersIn(value: unknown): readonly Identifier[] | undefined {
  const identifiers = currentIdentifiers(value).flatMap(({ system, value }): Identifier[] => {
    const text = asText(value)
    return text === undefined ? [] : [{ ...defined({ system: asText(system) }), value: text }]
  })
  return bounded(identifiers)
}

function codingsIn(value: unknown): readonly Coding[] | undefined {
  const codings = objectsIn(value).map((coding) => codingOf(coding))
  return bounded(codings.filter(({ code, display }) => (code ?? display) !== undefined))
}

/** `communication` is a list of concepts; that of a person in FHIR R5 has them in `language`. */
function languagesIn(value: unknown): readonly Coding[] | undefined {
  const concepts = objectsIn(value).map((entry) => conceptOf(entry.language ?? entry))
  return bounded(concepts.flatMap((concept) => concept?.codings ?? []))
}

function bounded<Entry extends object>(entries: readonly Entry[]): readonly Entry[] | undefined {
  const isShort = (entry: Entry) => Object.values(entry).every((text) => String(text).length <= TEXT_LENGTH_MAX)
  const kept = entries.filter(isShort).slice(0, LIST_MAX)
  return kept.length > 0 ? kept : undefined
}
