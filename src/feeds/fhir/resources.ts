import type { Place } from './location.ts'
import type { Person, Role, Service } from './practitioner.ts'
import type { Target } from './reference.ts'
import type { Calendar } from './schedule.ts'

/** The resource types that are read: slots, and what they are made of. */
export const READ_TYPES = [
  'Slot',
  'Schedule',
  'Location',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
] as const

/** What a resource type becomes here. */
export interface Shapes {
  Location: Place
  Schedule: Calendar
  PractitionerRole: Role
  Practitioner: Person
  HealthcareService: Service
}

/** The resource types that slots refer to, directly or by way of another. */
export type DirectoryType = keyof Shapes

/** Everything in a feed that slots refer to, to be looked up. */
export interface Resources {
  readonly publisher: string
  readonly strict: boolean
  /** Undefined if it dangles. A target without a type is looked for among all that the type could be. */
  find<T extends DirectoryType>(type: T, target: Target | undefined): Shapes[T] | undefined
}
