import { asObject, asText, type Json } from '../../lib/json.ts'
import type { ServerKind } from '../../shared/source-vocabulary.ts'

/** Supported versions of FHIR. Slots of R4B are the same as in R4. */
export type ServerVersion = 'R4' | 'STU3'

/** Which resources the server is asked to include: all that Slots refer to, only Schedules, or none. */
export const INCLUDES = ['all', 'schedule', 'none'] as const
export type Includes = (typeof INCLUDES)[number]

/** How the servers of a vendor are searched. `docs/sources.md` has a row for each: a test compares. */
export interface ServerProfile {
  /** If the vendor supports only one: its metadata is then not requested. */
  readonly version?: ServerVersion
  /** The includes to begin with: a server that rejects them is asked for fewer. */
  readonly includes: Includes
  /** References of Schedules to include, as search parameters. */
  readonly iterated: readonly string[]
  /** The parameter and prefix for the end of the range. With `end`, Slots must lie in the range completely. */
  readonly until: readonly [name: 'start' | 'end', prefix: 'lt' | 'le']
  /** The longest range of one search: several then cover the time. */
  readonly daysMax?: number
  /** A search of Slots must name one Schedule. */
  readonly bySchedule: boolean
  /** Sent unless the address of the source has them. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** A server without a profile. */
const STANDARD: ServerProfile = {
  includes: 'all',
  iterated: [
    'Schedule:actor',
    'PractitionerRole:practitioner',
    'PractitionerRole:location',
    'PractitionerRole:service',
    'HealthcareService:location',
  ],
  until: ['start', 'lt'],
  bySchedule: false,
  parameters: [],
}

const PROFILES: Readonly<Record<ServerKind, ServerProfile>> = {
  // docs.oracle.com, Millennium Platform APIs, Slot: one `_include`, both `ge` and `lt`.
  oracle: { ...STANDARD, includes: 'schedule' },
  // An assumption: see docs/sources.md, Epic.
  epic: { ...STANDARD, bySchedule: true },
  // hapifhir.io, JPA server: the total is stated on request, which shows whether pages are missing.
  hapi: { ...STANDARD, parameters: [['_total', 'accurate']] },
  // GP Connect 1.2, Search for free slots: a range of at most two weeks, in which Slots lie completely.
  'gp-connect': {
    ...STANDARD,
    version: 'STU3',
    iterated: ['Schedule:actor:Practitioner', 'Schedule:actor:Location'],
    until: ['end', 'le'],
    daysMax: 13,
    parameters: [['status', 'free']],
  },
}

export function profileOf(server: ServerKind | undefined): ServerProfile {
  return server === undefined ? STANDARD : PROFILES[server]
}

/** The server that a CapabilityStatement names; undefined if it names none. */
export function learnServer(statement: Json): ServerKind | undefined {
  const software = asText(asObject(statement.software)?.name) ?? ''
  const description = asText(statement.description) ?? ''
  const names = [software, asText(statement.publisher), description].join('\n')
  // Providers of GP Connect name their own software, or that of HAPI.
  if (statement.name === 'GP Connect' || /\bGP Connect API\b/.test(description)) return 'gp-connect'
  if (/\b(?:Cerner|Oracle Health)\b/.test(names)) return 'oracle'
  if (/^Epic\b/.test(software)) return 'epic'
  return /^HAPI FHIR\b/.test(software) ? 'hapi' : undefined
}
