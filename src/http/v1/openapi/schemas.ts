import { SLOT_STATUSES } from '../../../slot/slot.ts'
import { SOURCE_HEALTHS } from '../../../slot/source-freshness.ts'
import type { JsonSchema } from '../../../slot/value-kind.ts'

/**
 * What answers are made of, by the name of the component. Fields may be added within a version, so none is closed; fields
 * that are not required are absent where nothing is said.
 */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Slot: object({
    required: {
      id: text('Opaque, and stable across syncs.', { pattern: '^[0-9a-v]{24}$' }),
      status: text('Whether it can be booked.', { enum: SLOT_STATUSES }),
      start: instant('When it begins, with the offset that its publisher says.'),
      end: instant('When it ends.'),
      publisher: text('The slug of its publisher.'),
      scheduleId: text("The id of its schedule, which is its publisher's."),
      isVirtual: truth('Whether it can be attended virtually. A publisher who says nothing means in person.'),
    },
    optional: {
      bookingDeepLink: link('Where it is booked'),
      bookingPhone: text('Where it is booked by phone.'),
      capacity: count('How many can book it.'),
      serviceTypeCode: text('As published.'),
      serviceTypeText: text('As published.'),
      appointmentType: text('As published.'),
      acceptingPatients: text('Which patients are accepted; all, where it says nothing.', {
        enum: ['newpt', 'existptonly', 'existptfam'],
      }),
      modalities: {
        description: 'All ways to attend it; absent where nothing is said.',
        ...listOf(text('A way to attend it.', { enum: ['in-person', 'virtual'] })),
        uniqueItems: true,
      },
      location: reference('Location'),
      serviceStates: {
        description: "Where its service is licensed, beside its location's own state.",
        ...listOf(text('Two capital letters.', { pattern: '^[A-Z]{2}$' })),
      },
      provider: reference('Provider'),
    },
  }),
  Location: object({
    optional: {
      name: text('Its name.'),
      phone: listOf(text('A number.')),
      website: listOf(link('A page of it')),
      addressLine: listOf(text('Street and number, or the like.')),
      city: text('Its city.'),
      state: text('Two capital letters.', { pattern: '^[A-Z]{2}$' }),
      postalCode: text('Its postal code, with its leading zeros.'),
      latitude: { type: 'number', minimum: -90, maximum: 90, description: 'Decimal degrees.' },
      longitude: { type: 'number', minimum: -180, maximum: 180, description: 'Decimal degrees.' },
    },
  }),
  Provider: object({
    optional: {
      name: text('Their name.'),
      specialty: text('Their specialty, as published.'),
      npi: text('National Provider Identifier.', { pattern: '^[0-9]{10}$' }),
    },
  }),
  SlotPage: object({
    required: { slots: listOf(reference('Slot')), total: count('How many match in all.') },
  }),
  Actor: object({
    required: {
      key: text('To be asked for as `actorKey`.', { pattern: '^[0-9a-v]{24}$' }),
      publisher: text('The slug of the publisher.'),
      serviceTypes: listOf(
        object({ optional: { code: text('As published.'), display: text('As published.') } }),
      ),
      totalSlots: { ...count('How many slots match there.'), minimum: 1 },
      isVirtual: truth('Whether one of them at least can be attended virtually.'),
      nextAvailableStart: instant('When the first of them begins.'),
    },
    optional: { provider: reference('Provider'), location: reference('Location') },
  }),
  ActorPage: object({
    required: { actors: listOf(reference('Actor')), total: count('How many there are in all.') },
  }),
  Facets: object({
    required: {
      total: count('How many slots match.'),
      state: listOf(valueCount('Two capital letters.')),
      isVirtual: object({
        required: { true: count('Can be attended virtually.'), false: count('Can be attended in person.') },
      }),
      serviceType: listOf(
        object({
          required: { code: text('As published.'), count: count('How many slots.') },
          optional: { display: text('What most call it.') },
        }),
      ),
      specialty: listOf(valueCount('As most write it.')),
      day: listOf(
        object({
          required: {
            date: text('A day of the zone that was asked for.', { format: 'date' }),
            count: count('How many slots begin on it.'),
          },
        }),
      ),
      others: object({
        required: Object.fromEntries(
          ['state', 'serviceType', 'specialty', 'day'].map((name) => [
            name,
            count('How many slots have values that are left out.'),
          ]),
        ),
      }),
    },
  }),
  Publisher: object({
    required: {
      publisher: text('Its slug.'),
      name: text('What people call it.'),
      slots: object({
        required: Object.fromEntries(
          SLOT_STATUSES.map((status) => [status, count('How many have not ended.')]),
        ),
      }),
      status: text('How reading its feed goes.', { enum: SOURCE_HEALTHS }),
    },
    optional: {
      lastSyncAt: instant('When its feed was read last.'),
      publishedAt: instant('From when it says its feed is.'),
      changedAt: instant('When what we hold of it last changed.'),
      nextSyncAt: instant('When its feed is looked at next.'),
    },
  }),
  PublisherPage: object({
    required: { publishers: listOf(reference('Publisher')), total: count('How many there are in all.') },
  }),
  Change: {
    description: 'A slot that came or changed, as it is now; or one that went.',
    oneOf: [
      object({
        required: { change: text('What happened.', { enum: ['added', 'changed'] }), slot: reference('Slot') },
      }),
      object({
        required: {
          change: text('What happened.', { const: 'removed' }),
          id: text('Of the slot.', { pattern: '^[0-9a-v]{24}$' }),
          start: instant('When it would have begun.'),
        },
      }),
    ],
  },
  ChangePage: object({
    required: { changes: listOf(reference('Change')), revision: text('To go on from, as `since`.') },
  }),
  Manifest: object({
    required: {
      transactionTime: text('The moment that its files are of.', { format: 'date-time' }),
      request: text('Its own address.', { format: 'uri' }),
      requiresAccessToken: { type: 'boolean', description: 'Files want the same key.' },
      outputFormat: text('What files are sent as.'),
      output: listOf(
        object({
          required: { type: text('What resources it has.'), url: text('Where it is.', { format: 'uri' }) },
          optional: { extension: object({ required: { state: listOf(text('Two letters.')) } }) },
        }),
      ),
      error: listOf({}),
    },
  }),
  Error: object({
    required: {
      error: text('What kind of error it is: stays as it is.'),
      message: text('What was wrong and what would be right: for people.'),
    },
    optional: { parameter: text('The parameter that was wrong.') },
  }),
  Problem: object({
    required: {
      type: text('Where this kind of error is documented.', { format: 'uri' }),
      title: text('What kind of error it is.'),
      status: { type: 'integer', description: 'As in the status line.' },
      detail: text('What was wrong and what would be right.'),
      instance: text('The request.'),
    },
    optional: { parameter: text('The parameter that was wrong.') },
  }),
}

/** A schema that stands among the components. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
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

/** As its publisher writes it and browsers read it: RFC 3986, which `format: uri` stands for, is stricter. */
function link(description: string): JsonSchema {
  return text(`${description}: an http or https URL, as browsers read it.`, {
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  })
}

function instant(description: string): JsonSchema {
  return text(`${description} RFC 3339.`, { format: 'date-time' })
}

function truth(description: string): JsonSchema {
  return { type: 'boolean', description }
}

function count(description: string): JsonSchema {
  return { type: 'integer', minimum: 0, description }
}

function valueCount(description: string): JsonSchema {
  return object({ required: { value: text(description), count: count('How many slots.') } })
}
