import { CHANGES_PARAMETERS } from '../../../slot/changes-query.ts'
import type { QueryParameter } from '../../../slot/query-parameter.ts'
import { PAGE_PARAMETERS, SLOT_PARAMETERS } from '../../../slot/slot-query.ts'
import type { JsonSchema } from '../../../slot/value-kind.ts'
import type { ProblemKind } from '../../problem.ts'
import { ACTOR_PARAMETERS } from '../list-actors/list-actors.ts'
import { FACET_PARAMETERS } from '../list-facets/list-facets.ts'
import { ACTOR, CHANGES, FACETS, FEED_LINE, MANIFEST, PUBLISHER, SLOT } from './examples.ts'
import type { HeaderName } from './headers.ts'
import { reference } from './schemas.ts'

/** What the reference says of an operation beside what its parameters say themselves. */
export interface DescribedOperation {
  readonly id: string
  readonly summary: string
  readonly description: string
  /** As in the path. */
  readonly name?: {
    readonly is: string
    readonly description: string
    readonly schema: JsonSchema
    readonly example: string
  }
  readonly parameters: Readonly<
    Record<string, Pick<QueryParameter<never>, 'description' | 'schema' | 'examples' | 'repeatable'>>
  >
  readonly required?: readonly string[]
  /** By media type. */
  readonly answers: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>
  /** Of its 200, beside those of every answer. */
  readonly headers: readonly HeaderName[]
  /** Those of them that not every form of its answer has. */
  readonly sometimes?: readonly HeaderName[]
  /** When it leads to another address instead. */
  readonly redirect?: string
  /** Beside those that every operation has. */
  readonly problems: readonly ProblemKind[]
}

/** What is read from memory has them. */
const OF_MEMORY: readonly HeaderName[] = ['ETag', 'Cache-Control', 'Vary', 'Server-Timing']

/** Every operation, by its path: see `operations.ts`. */
export const DESCRIBED: Readonly<Record<string, DescribedOperation>> = {
  '/v1/scheduling/slots': {
    id: 'listSlots',
    summary: 'List slots',
    description:
      'One page of the slots that match all filters, in order of start, then id, and how many there are in all. As `application/x-ndjson` or `text/csv`: all of them, as of one moment; `limit`, `offset` and `cursor` are left out then.',
    parameters: SLOT_PARAMETERS,
    answers: {
      ...json(reference('SlotPage'), { slots: [SLOT], total: 1 }),
      'application/x-ndjson': {
        schema: { type: 'string', description: 'A slot a line.' },
        example: `${JSON.stringify(SLOT)}\n`,
      },
      'text/csv': {
        schema: { type: 'string', description: 'A header, then a slot a line.' },
        example:
          'id,status,start,end\r\n0g3f8k2m5q7r9s1t4v6a8c0e,free,2026-06-01T09:00:00-04:00,2026-06-01T09:15:00-04:00\r\n',
      },
    },
    headers: [
      'Link',
      'ETag',
      'Cache-Control',
      'Vary',
      'Server-Timing',
      'Next-Available-Start',
      'Slots-Revision',
      'Slots-Total',
      'Content-Disposition',
    ],
    sometimes: ['ETag'],
    problems: ['invalid-parameter', 'too-many-exports'],
  },
  '/v1/scheduling/slots/{id}': {
    id: 'showSlot',
    summary: 'Show a slot',
    description: 'One slot, of any status, for as long as its publisher lists it.',
    name: {
      is: 'id',
      description: 'Of the slot.',
      schema: { type: 'string', pattern: '^[0-9a-v]{24}$' },
      example: SLOT.id,
    },
    parameters: {},
    answers: json(reference('Slot'), SLOT),
    headers: OF_MEMORY,
    problems: ['invalid-parameter', 'not-found'],
  },
  '/v1/scheduling/actors': {
    id: 'listActors',
    summary: 'List actors',
    description:
      'One page of the providers and their locations that have slots which match, in order of the first of them: what a search page shows before a patient chooses a time. `actorKey` leads to the slots.',
    parameters: ACTOR_PARAMETERS,
    answers: json(reference('ActorPage'), { actors: [ACTOR], total: 1 }),
    headers: [...OF_MEMORY, 'Link'],
    problems: ['invalid-parameter'],
  },
  '/v1/scheduling/facets': {
    id: 'listFacets',
    summary: 'Count slots by facet',
    description:
      'How the slots that match are spread over states, ways to attend, service types, specialties and days: what a search page shows beside its list.',
    parameters: FACET_PARAMETERS,
    answers: json(reference('Facets'), FACETS),
    headers: OF_MEMORY,
    problems: ['invalid-parameter'],
  },
  '/v1/scheduling/publishers': {
    id: 'listPublishers',
    summary: 'List publishers',
    description: 'One page of the publishers, with what we hold of each and how fresh that is.',
    parameters: PAGE_PARAMETERS,
    answers: json(reference('PublisherPage'), { publishers: [PUBLISHER], total: 1 }),
    headers: [...OF_MEMORY, 'Link'],
    problems: ['invalid-parameter'],
  },
  '/v1/scheduling/changes': {
    id: 'listChanges',
    summary: 'List changes',
    description:
      'One page of what was added, changed and removed after a revision, in the order of commits. Who applies all pages in their order to an export holds what the list has; what has ended goes without a change.',
    parameters: CHANGES_PARAMETERS,
    required: ['since'],
    answers: json(reference('ChangePage'), CHANGES),
    headers: ['ETag', 'Cache-Control', 'Vary', 'Link'],
    problems: ['invalid-parameter', 'gone', 'content-too-large'],
  },
  '/v1/fhir/$bulk-publish': {
    id: 'showManifest',
    summary: 'Show the manifest of the feed',
    description:
      'All that is held as a SMART Scheduling Links feed (HL7, STU1): the files of one moment, which are to be read one after the other.',
    parameters: {},
    answers: json(reference('Manifest'), MANIFEST),
    headers: [...OF_MEMORY, 'Slots-Revision'],
    problems: ['invalid-parameter'],
  },
  '/v1/fhir/{file}': {
    id: 'showFeedFile',
    summary: 'Read a file of the feed',
    description:
      'A file that the manifest lists: the slots of a state, or what slots refer to, as FHIR resources (R4), one a line.',
    name: {
      is: 'file',
      description: 'As in the manifest.',
      schema: { type: 'string', pattern: '^[A-Za-z]+(-[A-Z]{2})?~[0-9a-z.]+\\.ndjson$' },
      example: 'Slot-MA~7x2k9v0a.1c.ndjson',
    },
    parameters: {},
    answers: Object.fromEntries(
      ['application/fhir+ndjson', 'application/x-ndjson', 'application/ndjson'].map((type) => [
        type,
        { schema: { type: 'string', description: 'A resource a line.' }, example: FEED_LINE },
      ]),
    ),
    headers: ['ETag', 'Cache-Control', 'Vary', 'Slots-Revision'],
    redirect: 'The file is not held any more as it was: `Location` leads to what it is now.',
    problems: ['invalid-parameter', 'not-found', 'too-many-exports'],
  },
}

function json(schema: JsonSchema, example: unknown): DescribedOperation['answers'] {
  return { 'application/json': { schema, example } }
}
