import type { JsonSchema } from '../../../slot/query-parameter.ts'
import { MODALITIES, SLOT_STATUSES } from '../../../slot/slot.ts'
import { SOURCE_HEALTHS } from '../../../slot/source-freshness.ts'
import type { Operation } from '../operation.ts'
import { MANIFEST_SCHEMAS } from './manifest-schemas.ts'

const REGION = text('Two-letter code of a US state, or ISO 3166-2 code of a region elsewhere; upper case.', {
  pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$',
})

const LOCATION: Readonly<Record<string, JsonSchema>> = {
  name: text('Name.'),
  phone: listOf(text('Phone number.')),
  website: listOf(link('Website')),
  addressLine: listOf(text('Street address line.')),
  city: text('City.'),
  state: REGION,
  postalCode: text('Postal code, with leading zeros.'),
  latitude: { type: 'number', minimum: -90, maximum: 90, description: 'Decimal degrees.' },
  longitude: { type: 'number', minimum: -180, maximum: 180, description: 'Decimal degrees.' },
}

const PROVIDER: Readonly<Record<string, JsonSchema>> = {
  name: text('Name.'),
  specialty: text('Specialty, as published.'),
  npi: text('National Provider Identifier.', { pattern: '^[0-9]{10}$' }),
}

const IDENTITY: Readonly<Record<string, JsonSchema>> = {
  id: text("The publisher's id of the resource."),
  identifier: { description: "The publisher's identifiers.", ...listOf(reference('Identifier')) },
}

/**
 * The components of response bodies. Fields may be added within a version, so the schemas allow other fields. An optional field is
 * absent if the publisher does not provide it.
 */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Slot: object({
    required: {
      id: text('Opaque identifier, stable across syncs.', { pattern: '^[0-9a-v]{24}$' }),
      status: text('Booking status.', { enum: SLOT_STATUSES }),
      start: instant('Start, with the UTC offset of the publisher.'),
      end: instant('End.'),
      publisher: text('Slug of the publisher.'),
      scheduleId: text("The publisher's id of the schedule."),
      isVirtual: flag('Whether it can be attended virtually. False if the publisher does not specify.'),
    },
    optional: {
      bookingDeepLink: link('Booking page'),
      bookingPhone: text('Phone number for booking.'),
      capacity: count('Number of bookings that the slot can take.'),
      identifier: { description: "The publisher's identifiers of the slot.", ...listOf(reference('Identifier')) },
      serviceTypeCode: text('Code of the first service type, as published.'),
      serviceTypeText: text('Text of the first service type, as published.'),
      serviceTypes: { description: 'All service types, the first included.', ...listOf(reference('ServiceType')) },
      appointmentType: text('As published.'),
      acceptingPatients: text('Which patients are accepted. Absent: all patients.', {
        enum: ['newpt', 'existptonly', 'existptfam'],
      }),
      modalities: {
        description:
          'All service modes. `phone` and `video` detail `virtual`. Absent if not provided or not understood.',
        ...listOf(text('A service mode.', { enum: MODALITIES })),
        uniqueItems: true,
      },
      location: reference('Location'),
      serviceStates: {
        description: 'States where the service is offered, in addition to the state of the location.',
        ...listOf(REGION),
      },
      provider: reference('Provider'),
    },
  }),
  ServiceType: object({
    optional: {
      system: text('URI of the code system.'),
      code: text('Code, as published.'),
      display: text('Text, as published.'),
    },
  }),
  Location: object({ optional: LOCATION }),
  Provider: object({ optional: PROVIDER }),
  ActorLocation: object({ optional: { ...LOCATION, ...IDENTITY } }),
  ActorProvider: object({ optional: { ...PROVIDER, ...IDENTITY } }),
  Identifier: object({
    required: { value: text('Value, unique in its system.') },
    optional: { system: text('URI of the naming system.') },
  }),
  SlotPage: object({
    required: { slots: listOf(reference('Slot')), total: count('Total number of matching slots.') },
  }),
  Actor: object({
    required: {
      key: text('Identifier of the actor. Pass it as `actorKey`.', { pattern: '^[0-9a-v]{24}$' }),
      publisher: text('Slug of the publisher.'),
      serviceTypes: listOf(reference('ServiceType')),
      totalSlots: { ...count('Number of matching slots.'), minimum: 1 },
      isVirtual: flag('Whether at least one of them can be attended virtually.'),
      nextAvailableStart: instant('Start of the first of them.'),
    },
    optional: { provider: reference('ActorProvider'), location: reference('ActorLocation') },
  }),
  ActorPage: object({
    required: { actors: listOf(reference('Actor')), total: count('Total number of items.') },
  }),
  Facets: object({
    required: {
      total: count('Number of matching slots.'),
      state: listOf(valueCount('As in `state` of a location.')),
      isVirtual: object({
        required: {
          true: count('Slots that can be attended virtually.'),
          false: count('Slots that can be attended in person.'),
        },
      }),
      serviceType: listOf(
        object({
          required: { code: text('As published.'), count: count('Number of slots.') },
          optional: { display: text('The most common display text.') },
        }),
      ),
      specialty: listOf(valueCount('In the most common spelling.')),
      day: listOf(
        object({
          required: {
            date: text('Day in the requested time zone.', { format: 'date' }),
            count: count('Number of slots that start on this day.'),
          },
        }),
      ),
      others: object({
        required: Object.fromEntries(
          ['state', 'serviceType', 'specialty', 'day'].map((name) => [
            name,
            count('Number of slots with other values.'),
          ]),
        ),
      }),
    },
  }),
  Publisher: object({
    required: {
      publisher: text('Slug of the publisher.'),
      name: text('Display name.'),
      slots: object({
        required: Object.fromEntries(
          SLOT_STATUSES.map((status) => [status, count('Number of slots that have not ended.')]),
        ),
      }),
      status: text('Sync status of the feed.', { enum: SOURCE_HEALTHS }),
    },
    optional: {
      lastSyncAt: instant('Last successful sync.'),
      publishedAt: instant('Publication time stated by the feed.'),
      changedAt: instant('Last change of its slots.'),
      nextSyncAt: instant('Next scheduled sync.'),
    },
  }),
  PublisherPage: object({
    required: { publishers: listOf(reference('Publisher')), total: count('Total number of items.') },
  }),
  Change: {
    description: 'A slot that was added or changed, with its current content, or one that was removed.',
    oneOf: [
      object({
        required: {
          change: text('Kind of change.', { enum: ['added', 'changed'] }),
          slot: reference('Slot'),
        },
      }),
      object({
        required: {
          change: text('Kind of change.', { const: 'removed' }),
          id: text('Id of the slot.', { pattern: '^[0-9a-v]{24}$' }),
          start: instant('Start of the slot.'),
        },
      }),
    ],
  },
  ChangePage: object({
    required: { changes: listOf(reference('Change')), revision: text('Pass it as `since` to continue.') },
  }),
  ...MANIFEST_SCHEMAS,
  OperationOutcome: object({
    required: {
      resourceType: text('FHIR R4 resource type.', { const: 'OperationOutcome' }),
      issue: listOf(
        object({
          required: {
            severity: text('Always `error`.', { const: 'error' }),
            code: text('FHIR issue type.'),
            details: object({ required: { text: text('Kind of error; stable within a version.') } }),
            diagnostics: text('Human-readable description: what was wrong and what is allowed.'),
          },
          optional: { expression: listOf(text('The invalid parameter.')) },
        }),
      ),
    },
  }),
  Error: object({
    required: {
      error: text('Kind of error; stable within a version.'),
      message: text('Human-readable description: what was wrong and what is allowed.'),
    },
    optional: { parameter: text('The invalid parameter.') },
  }),
  Problem: object({
    required: {
      type: text('URL of the documentation of this kind of error.', { format: 'uri' }),
      title: text('Kind of error.'),
      status: { type: 'integer', description: 'HTTP status code.' },
      detail: text('What was wrong and what is allowed.'),
      instance: text('URN of the request.'),
    },
    optional: { parameter: text('The invalid parameter.') },
  }),
}

/** A reference to a component. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** The content of an operation that answers in JSON alone: a component and an example of it. */
export function jsonContent(name: string, example: unknown): Operation['content'] {
  return { 'application/json': { schema: reference(name), example } }
}

function object({
  required = {},
  optional = {},
}: {
  required?: Readonly<Record<string, JsonSchema>>
  optional?: Readonly<Record<string, JsonSchema>>
}): JsonSchema {
  const names = Object.keys(required)
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(names.length > 0 && { required: names }),
  }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

function text(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, ...more }
}

/** As published. Not `format: uri`, because browsers accept more than RFC 3986. */
function link(description: string): JsonSchema {
  return text(`${description}: an http or https URL.`, {
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  })
}

function instant(description: string): JsonSchema {
  return text(`${description} RFC 3339.`, { format: 'date-time' })
}

function flag(description: string): JsonSchema {
  return { type: 'boolean', description }
}

function count(description: string): JsonSchema {
  return { type: 'integer', minimum: 0, description }
}

function valueCount(description: string): JsonSchema {
  return object({ required: { value: text(description), count: count('Number of slots.') } })
}
