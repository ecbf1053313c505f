import type { JsonSchema } from '../../../slot/query-parameter.ts'
import { MODALITIES, SLOT_STATUSES } from '../../../slot/slot.ts'
import { SOURCE_HEALTHS } from '../../../slot/source-freshness.ts'
import type { Operation } from '../operation.ts'
import { MANIFEST_SCHEMAS } from './manifest-schemas.ts'
import { arrayOf, count, instant, link, object, reference, text, truth } from './schema-parts.ts'
import { SUBSCRIPTION_SCHEMAS } from './subscription-schemas.ts'

const REGION = text('Two-letter code of a US state, or ISO 3166-2 code of a region elsewhere; upper case.', {
  pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$',
})

const DOCUMENTATION = text('URL of the documentation of this kind of error.', { format: 'uri' })
const REQUEST_LOG_URL = text('URL of the request in the request log, if it had a valid API key.', { format: 'uri' })

const LOCATION: Readonly<Record<string, JsonSchema>> = {
  name: text('Name.'),
  phone: arrayOf(text('Phone number.')),
  website: arrayOf(link('Website')),
  addressLine: arrayOf(text('Street address line.')),
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
  identifier: { description: "The publisher's identifiers.", ...arrayOf(reference('Identifier')) },
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
      isVirtual: truth('Whether it can be attended virtually. False if the publisher does not specify.'),
    },
    optional: {
      bookingDeepLink: link('Booking page'),
      bookingPhone: text('Phone number for booking.'),
      capacity: count('Number of bookings that the slot can take.'),
      identifier: { description: "The publisher's identifiers of the slot.", ...arrayOf(reference('Identifier')) },
      serviceTypeCode: text('Code of the first service type, as published.'),
      serviceTypeText: text('Text of the first service type, as published.'),
      serviceTypes: { description: 'All service types, the first included.', ...arrayOf(reference('ServiceType')) },
      appointmentType: text('As published.'),
      acceptingPatients: text(
        '`newpt`: new and existing patients; `existptonly`: existing patients only; `existptfam`: these and their families. Absent if not provided.',
        { enum: ['newpt', 'existptonly', 'existptfam'] },
      ),
      modalities: {
        description:
          'All service modes. `phone` and `video` detail `virtual`. Absent if not provided or not understood.',
        ...arrayOf(text('A service mode.', { enum: MODALITIES })),
        uniqueItems: true,
      },
      location: reference('Location'),
      serviceStates: {
        description: 'States where the service is offered, in addition to the state of the location.',
        ...arrayOf(REGION),
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
    required: { slots: arrayOf(reference('Slot')), total: count('Total number of matching slots.') },
  }),
  Actor: object({
    required: {
      key: text('Identifier of the actor. Pass it as `actorKey`.', { pattern: '^[0-9a-v]{24}$' }),
      publisher: text('Slug of the publisher.'),
      serviceTypes: arrayOf(reference('ServiceType')),
      totalSlots: { ...count('Number of matching slots.'), minimum: 1 },
      isVirtual: truth('Whether at least one of them can be attended virtually.'),
      nextAvailableStart: instant('Start of the first of them.'),
    },
    optional: { provider: reference('ActorProvider'), location: reference('ActorLocation') },
  }),
  ActorPage: object({
    required: { actors: arrayOf(reference('Actor')), total: count('Total number of items.') },
  }),
  Facets: object({
    required: {
      total: count('Number of matching slots.'),
      state: arrayOf(valueCount('As in `state` of a location.')),
      isVirtual: object({
        required: {
          true: count('Slots that can be attended virtually.'),
          false: count('Slots that can be attended in person.'),
        },
      }),
      serviceType: arrayOf(
        object({
          required: { code: text('As published.'), count: count('Number of slots.') },
          optional: { display: text('The most common display text.') },
        }),
      ),
      specialty: arrayOf(valueCount('In the most common spelling.')),
      day: arrayOf(
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
    required: { publishers: arrayOf(reference('Publisher')), total: count('Total number of items.') },
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
    required: { changes: arrayOf(reference('Change')), revision: text('Pass it as `since` to continue.') },
  }),
  ...MANIFEST_SCHEMAS,
  ...SUBSCRIPTION_SCHEMAS,
  OperationOutcome: object({
    required: {
      resourceType: text('FHIR R4 resource type.', { const: 'OperationOutcome' }),
      issue: arrayOf(
        object({
          required: {
            severity: text('Always `error`.', { const: 'error' }),
            code: text('FHIR issue type.'),
            details: object({ required: { text: text('Kind of error; stable within a version.') } }),
            diagnostics: text('Human-readable description: what was wrong and what is allowed.'),
          },
          optional: { location: arrayOf(text('The invalid parameter: `http.` and its name.')) },
        }),
      ),
    },
  }),
  Error: object({
    required: {
      error: text('Kind of error; stable within a version.'),
      message: text('Human-readable description: what was wrong and what is allowed.'),
    },
    optional: {
      parameter: text('The invalid parameter.'),
      documentation: DOCUMENTATION,
      requestLogUrl: REQUEST_LOG_URL,
    },
  }),
  Problem: object({
    required: {
      type: DOCUMENTATION,
      title: text('Kind of error.'),
      status: { type: 'integer', description: 'HTTP status code.' },
      detail: text('What was wrong and what is allowed.'),
      instance: text('URN of the request.'),
    },
    optional: { parameter: text('The invalid parameter.'), requestLogUrl: REQUEST_LOG_URL },
  }),
}

/** The content of an operation that answers in JSON alone: a component and an example of it. */
export function jsonContent(name: string, example: unknown): Operation['content'] {
  return { 'application/json': { schema: reference(name), example } }
}

function valueCount(description: string): JsonSchema {
  return object({ required: { value: text(description), count: count('Number of slots.') } })
}
