import { asText, excerpt, type Json, objectsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { InvalidData } from '../invalid-data.ts'
import { type Concept, conceptOf } from './concept.ts'
import { extensions } from './extension.ts'
import { specialtyOf } from './practitioner.ts'
import { isPlainReference, parseReference, type Target } from './reference.ts'

/** The fields of a Schedule that slots need. */
export interface ParsedSchedule {
  readonly actors: readonly ScheduleActor[]
  readonly serviceType?: Concept
  readonly specialty?: string
}

/** An actor of a Schedule; without a target, only a display text. */
export interface ScheduleActor {
  readonly target?: Target
  readonly display?: string
}

/** Throws `InvalidData` if `strict` and an actor is not a plain reference. */
export function parseSchedule(resource: Json, strict: boolean): ParsedSchedule {
  const actors = objectsIn(resource.actor)
  const wrong = strict ? actors.find((actor) => !isPlainReference(actor)) : undefined
  if (wrong !== undefined)
    throw new InvalidData(`actor must be a reference "Type/id": got "${excerpt(wrong.reference)}"`)
  if (strict && actors.length === 0) throw new InvalidData('actor must have a reference')
  return {
    actors: actors.map((actor) => defined({ target: parseReference(actor), display: asText(actor.display) })),
    ...defined({ serviceType: conceptOf(resource.serviceType), specialty: specialty(resource) }),
  }
}

/** The extension of the guide, else of the 2025 draft, else the element of FHIR. */
function specialty(resource: Json): string | undefined {
  const [extension] = [...extensions(resource, 'schedule-specialty'), ...extensions(resource, 'specialty')]
  const value = extension?.valueCoding ?? extension?.valueCodeableConcept
  return specialtyOf(value) ?? asText(extension?.valueString) ?? specialtyOf(resource.specialty)
}
