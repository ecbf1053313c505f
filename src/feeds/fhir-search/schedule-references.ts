import type { Directory } from '../fhir/directory.ts'
import type { Target } from '../fhir/reference.ts'
import type { DirectoryType, ParsedResources } from '../fhir/resources.ts'

/** A resource that is known by type and id. */
export interface ResourceKey {
  readonly type: DirectoryType
  readonly id: string
}

/** All that a Schedule leads to, itself included. */
export interface ScheduleReferences {
  /** Their names and what they say, in the order in which references lead to them: equal for slots that mean the same. */
  readonly found: readonly unknown[]
  readonly missing: readonly ResourceKey[]
}

/** Follows the references of a Schedule through the directory: to its actors, and by way of roles and services on. */
export function scheduleReferencesOf(id: string, directory: Directory): ScheduleReferences {
  const waiting: ResourceKey[] = [{ type: 'Schedule', id }]
  const seen = new Set<string>()
  const found: unknown[] = []
  const missing: ResourceKey[] = []
  for (let named = waiting.shift(); named !== undefined; named = waiting.shift()) {
    const name = keyTextOf(named)
    if (seen.has(name)) continue
    seen.add(name)
    const there = follow(named.type, named.id, directory)
    if (there === undefined) {
      missing.push(named)
    } else {
      found.push(name, there.shape)
      waiting.push(...there.next)
    }
  }
  return { found, missing }
}

/** `Location/1` */
export function keyTextOf({ type, id }: ResourceKey): string {
  return `${type}/${id}`
}

function follow<T extends DirectoryType>(
  type: T,
  id: string,
  directory: Directory,
): { shape: ParsedResources[T]; next: readonly ResourceKey[] } | undefined {
  const shape = directory.find(type, { type, id })
  return shape === undefined ? undefined : { shape, next: INCLUDED[type](shape) }
}

const INCLUDED: { readonly [T in DirectoryType]: (shape: ParsedResources[T]) => readonly ResourceKey[] } = {
  Schedule: ({ actors }) => actors.flatMap(({ target }) => namedBy(target)),
  PractitionerRole: ({ practitioner, places, services }) => [
    ...namedBy(practitioner, 'Practitioner'),
    ...places.flatMap((target) => namedBy(target, 'Location')),
    ...services.flatMap((target) => namedBy(target, 'HealthcareService')),
  ],
  HealthcareService: ({ places }) => places.flatMap((target) => namedBy(target, 'Location')),
  Practitioner: () => [],
  Location: () => [],
}

const ACTORS = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] as const

/** Nothing if it is of a type that says nothing of slots (a Device), or of none. */
function namedBy(target: Target | undefined, known?: DirectoryType): readonly ResourceKey[] {
  const type = ACTORS.find((one) => one === (target?.type ?? known))
  return target === undefined || type === undefined ? [] : [{ type, id: target.id }]
}
