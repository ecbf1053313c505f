import type { ParsedLocation } from './location.ts'
import type { ParsedPractitioner, ParsedRole, ParsedService } from './practitioner.ts'
import type { Target } from './reference.ts'
import type { ParsedSchedule } from './schedule.ts'

/** The resource types that are read. */
export const READ_TYPES = [
  'Slot',
  'Schedule',
  'Location',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
] as const

/** The parsed form of each resource type. */
export interface ParsedResources {
  Location: ParsedLocation
  Schedule: ParsedSchedule
  PractitionerRole: ParsedRole
  Practitioner: ParsedPractitioner
  HealthcareService: ParsedService
}

/** The resource types that slots refer to, directly or indirectly. */
export type DirectoryResourceType = keyof ParsedResources

/** Finds the resources that slots refer to. */
export interface ResourceLookup {
  readonly publisher: string
  readonly strict: boolean
  /** Undefined for a dangling reference. A target without a type matches every type. */
  find<T extends DirectoryResourceType>(type: T, target: Target | undefined): ParsedResources[T] | undefined
}
