import type { JsonSchema } from '../../../slot/query-parameter.ts'
import { SLOT_STATUSES } from '../../../slot/slot.ts'
import { SOURCE_HEALTHS } from '../../../slot/source-freshness.ts'
import type { Operation } from '../operation.ts'

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
      serviceTypeCode: text('As published.'),
      serviceTypeText: text('As published.'),
      appointmentType: text('As published.'),
      acceptingPatients: text('Which patients are accepted. Absent: all patients.', {
        enum: ['newpt', 'existptonly', 'existptfam'],
      }),
      modalities: {
        description: 'All service modes. Absent if not provided.',
        ...listOf(text('A service mode.', { enum: ['in-person', 'virtual'] })),
        uniqueItems: true,
      },
      location: reference('Location'),
      serviceStates: {
        description: 'States where the service is licensed, in addition to the state of the location.',
        ...listOf(text('Two-letter code, upper case.', { pattern: '^[A-Z]{2}$' })),
      },
      provider: reference('Provider'),
    },
  }),
  Location: object({
    optional: {
      name: text('Name.'),
      phone: listOf(text('Phone number.')),
      website: listOf(link('Website')),
      addressLine: listOf(text('Street address line.')),
      city: text('City.'),
      state: text('Two-letter code, upper case.', { pattern: '^[A-Z]{2}$' }),
      postalCode: text('Postal code, with leading zeros.'),
      latitude: { type: 'number', minimum: -90, maximum: 90, description: 'Decimal degrees.' },
      longitude: { type: 'number', minimum: -180, maximum: 180, description: 'Decimal degrees.' },
    },
  }),
  Provider: object({
    optional: {
      name: text('Name.'),
      specialty: text('Specialty, as published.'),
      npi: text('National Provider Identifier.', { pattern: '^[0-9]{10}$' }),
    },
  }),
  SlotPage: object({
    required: { slots: listOf(reference('Slot')), total: count('Total number of matching slots.') },
  }),
  Actor: object({
    required: {
      key: text('Identifier of the actor. Pass it as `actorKey`.', { pattern: '^[0-9a-v]{24}$' }),
      publisher: text('Slug of the publisher.'),
      serviceTypes: listOf(object({ optional: { code: text('As published.'), display: text('As published.') } })),
      totalSlots: { ...count('Number of matching slots.'), minimum: 1 },
      isVirtual: flag('Whether at least one of them can be attended virtually.'),
      nextAvailableStart: instant('Start of the first of them.'),
    },
    optional: { provider: reference('Provider'), location: reference('Location') },
  }),
  ActorPage: object({
    required: { actors: listOf(reference('Actor')), total: count('Total number of items.') },
  }),
  Facets: object({
    required: {
      total: count('Number of matching slots.'),
      state: listOf(valueCount('Two-letter code, upper case.')),
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
  Manifest: object({
    required: {
      transactionTime: text('Time of the snapshot that all files belong to.', { format: 'date-time' }),
      request: text('URL of this manifest.', { format: 'uri' }),
      requiresAccessToken: { type: 'boolean', description: 'Whether files require the same API key.' },
      outputFormat: text('Media type of the files.'),
      output: listOf(
        object({
          required: {
            type: text('Resource type in the file.'),
            url: text('URL of the file.', { format: 'uri' }),
          },
          optional: { extension: object({ required: { state: listOf(text('Two-letter code.')) } }) },
        }),
      ),
      error: listOf({}),
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
