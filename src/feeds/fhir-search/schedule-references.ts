import type { Directory } from '../fhir/directory.ts'
import type { Target } from '../fhir/reference.ts'
import type { DirectoryResourceType, ParsedResources } from '../fhir/resources.ts'

/** Type and id of a resource. */
export interface ResourceKey {
  readonly type: DirectoryResourceType
  readonly id: string
}

/** The transitive references of a Schedule, including itself. */
export interface ScheduleReferences {
  /** Keys and parsed resources in breadth-first order: equal for Schedules with equal content. */
  readonly found: readonly unknown[]
  readonly missing: readonly ResourceKey[]
}

/** Follows the references of a Schedule through the directory, breadth first. */
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

function follow<T extends DirectoryResourceType>(
  type: T,
  id: string,
  directory: Directory,
): { shape: ParsedResources[T]; next: readonly ResourceKey[] } | undefined {
  const shape = directory.find(type, { type, id })
  return shape === undefined ? undefined : { shape, next: INCLUDED[type](shape) }
}

const INCLUDED: {
  readonly [T in DirectoryResourceType]: (shape: ParsedResources[T]) => readonly ResourceKey[]
} = {
  Schedule: ({ actors }) => actors.flatMap(({ target }) => namedBy(target)),
  PractitionerRole: ({ practitioner, locations, services }) => [
    ...namedBy(practitioner, 'Practitioner'),
    ...locations.flatMap((target) => namedBy(target, 'Location')),
    ...services.flatMap((target) => namedBy(target, 'HealthcareService')),
  ],
  HealthcareService: ({ locations }) => locations.flatMap((target) => namedBy(target, 'Location')),
  Practitioner: () => [],
  Location: () => [],
}

const ACTORS = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] as const

/** Empty for a type that slots do not use (Device), or without a type. */
function namedBy(target: Target | undefined, known?: DirectoryResourceType): readonly ResourceKey[] {
  const type = ACTORS.find((one) => one === (target?.type ?? known))
  return target === undefined || type === undefined ? [] : [{ type, id: target.id }]
}
