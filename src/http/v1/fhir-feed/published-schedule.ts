import { distinctByJson } from '../../../lib/json.ts'
import { defined } from '../../../lib/optional.ts'
import { serviceTypesOf } from '../../../slot/filter-values.ts'
import type { Coding, Offering } from '../../../slot/slot.ts'
import type { StatedConcept } from '../../../slot/source-resources.ts'
import { HAS_AVAILABILITY, SCHEDULE_SPECIALTY, UNKNOWN } from './fhir-urls.ts'
import { referenceTo } from './published-people.ts'
import { conceptsOf, type Elements, nonEmpty, type PublishedResource } from './published-resource.ts'
import { type ResourceGraph, specialtyOf } from './resource-graph.ts'

/** A Schedule has actors and service types; the guide requires both. */
export function scheduleElements(
  offering: Offering,
  graph: ResourceGraph,
  actors: readonly PublishedResource[],
): Elements {
  const { identifier, availability: valueCode } = graph.schedule
  const availability = valueCode === undefined ? [] : [{ url: HAS_AVAILABILITY, valueCode }]
  const { specialty, extension } = specialtyIn(offering, graph)
  const serviceTypes = conceptsOf({
    codings: serviceTypesOf(offering),
    ...defined({ text: offering.serviceTypeText }),
  })
  return {
    ...defined({ identifier, extension: nonEmpty([...availability, ...extension]) }),
    serviceType: nonEmpty(serviceTypes) ?? [UNKNOWN],
    ...defined({ specialty }),
    actor: actors.map(referenceTo),
  }
}

/** Only if no role has any: those of roles take precedence. FHIR's element keeps words that differ from the display of the code. */
function specialtyIn(
  offering: Offering,
  graph: ResourceGraph,
): { specialty?: unknown; extension: readonly Elements[] } {
  const stated = specialtyOf(offering)
  if (stated === undefined || roleSpecialties(graph).length > 0) return { extension: [] }
  const [{ code, display = code }] = stated.codings
  if (stated.text !== display) return { specialty: conceptsOf(stated), extension: [] }
  return { extension: stated.codings.map(specialtyExtension) }
}

function specialtyExtension(coding: Coding): Elements {
  const missing = (['system', 'code'] as const).filter((name) => coding[name] === undefined)
  const absent = Object.fromEntries(missing.map((name) => [`_${name}`, UNKNOWN]))
  return { url: SCHEDULE_SPECIALTY, valueCoding: { ...coding, ...absent } }
}

/** The specialties of a slot that differ from those of the roles of its Schedule. */
export function ownSpecialtyOf(offering: Offering, graph: ResourceGraph): readonly Elements[] | undefined {
  const stated = specialtyOf(offering)
  const ofRoles = roleSpecialties(graph)
  if (stated === undefined || ofRoles.length === 0) return undefined
  const [first, ...others] = ofRoles
  const codings = ofRoles.flatMap((concept) => concept.codings)
  const isSame =
    wordsOf(first) === wordsOf(stated) &&
    others.every(hasNoOtherWords) &&
    JSON.stringify(distinctByJson(codings)) === JSON.stringify(stated.codings)
  return isSame ? undefined : conceptsOf(stated)
}

function roleSpecialties({ roles }: ResourceGraph): readonly StatedConcept[] {
  return roles.flatMap(({ specialty, isFormer }) => (specialty === undefined || isFormer ? [] : [specialty]))
}

function wordsOf({ codings: [first], text }: StatedConcept): string | undefined {
  return text ?? first.display ?? first.code
}

function hasNoOtherWords({ codings, text }: StatedConcept): boolean {
  return text === undefined || codings.some(({ display }) => display === text)
}
