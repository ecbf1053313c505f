import type { JsonSchema } from '../../../slot/query-parameter.ts'

const FILES: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      type: { type: 'string', description: 'Resource type in the file.' },
      url: { type: 'string', format: 'uri', description: 'URL of the file. Its content never changes.' },
      count: { type: 'integer', minimum: 0, description: 'Number of resources.' },
      fileSize: { type: 'integer', minimum: 0, description: 'Number of bytes without compression.' },
      extension: {
        type: 'object',
        properties: {
          state: { type: 'array', items: { type: 'string', description: 'As in `state` of a location.' } },
          'http://hl7.org/fhir/StructureDefinition/lastSourceSync': {
            type: 'object',
            description: 'At the Schedules: when each publisher was last synced, by the address of its feed.',
            additionalProperties: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
    required: ['type', 'url', 'count', 'fileSize'],
  },
}

const LINKS: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      relation: { type: 'string', description: 'Always `next`.' },
      url: {
        type: 'string',
        description: 'URL of the next page of the chain of updates; `#pending` or `#closed` if there is none.',
      },
    },
    required: ['relation', 'url'],
  },
}

/** Of each page of the manifest. */
const PAGE: Readonly<Record<string, JsonSchema>> = {
  manifestType: {
    type: 'string',
    format: 'uri',
    description: 'Canonical URL of this kind of manifest (Bulk Data Access 4).',
  },
  transactionTime: {
    type: 'string',
    format: 'date-time',
    description: 'When the last change in the files was committed.',
  },
  updateCadence: { type: 'string', description: 'How often there may be an update (ISO 8601 duration).' },
  request: { type: 'string', format: 'uri', description: 'URL of the manifest of the feed.' },
  requiresAccessToken: { type: 'boolean', description: 'Whether files require the same API key.' },
  outputFormat: { type: 'string', description: 'Media type of the files.' },
  output: FILES,
  error: { type: 'array', items: {} },
  link: LINKS,
}

/** The components of the manifest and its pages. */
export const MANIFEST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Manifest: {
    type: 'object',
    properties: {
      ...PAGE,
    },
    required: Object.keys(PAGE),
  },
  UpdatePage: { type: 'object', properties: { ...PAGE, deleted: FILES }, required: Object.keys(PAGE) },
}
