import type { ParsedLocation } from './location.ts'
import type { ParsedPractitioner, ParsedRole, ParsedService } from './practitioner.ts'
import type { Target } from './reference.ts'
import type { ParsedSchedule } from './schedule.ts'

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
export interface ParsedResources {
  Location: ParsedLocation
  Schedule: ParsedSchedule
  PractitionerRole: ParsedRole
  Practitioner: ParsedPractitioner
  HealthcareService: ParsedService
}

/** The resource types that slots refer to, directly or by way of another. */
export type DirectoryType = keyof ParsedResources

/** Everything in a feed that slots refer to, to be looked up. */
export interface ResourceLookup {
  readonly publisher: string
  readonly strict: boolean
  /** Undefined if it dangles. A target without a type is looked for among all that the type could be. */
  find<T extends DirectoryType>(type: T, target: Target | undefined): ParsedResources[T] | undefined
}
