import type { IncomingMessage } from 'node:http'
import packageJson from '../../../../package.json' with { type: 'json' }
import { type ServiceIdentity, UNNAMED_SERVICE } from '../../../shared/service-identity.ts'
import type { ApiContext } from '../../api-context.ts'
import { isFhirTarget } from '../../fhir-outcome.ts'
import { etagOfContent, isNotModified, JSON_TYPE } from '../../negotiation.ts'
import { PROBLEMS, type ProblemKind } from '../../problem.ts'
import type { SerializedResponse } from '../../serialized-http.ts'
import type { Operation } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'
import {
  describeOutcome,
  describeProblem,
  HEADER_COMPONENTS,
  headerRefs,
  statuses,
  statusName,
} from './problem-responses.ts'
import { reference } from './schema-parts.ts'
import { SCHEMAS } from './schemas.ts'
import { WEBHOOK_ITEMS } from './subscription-schemas.ts'

/** The addresses and the version of a service. */
interface ServiceInfo {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly docsUrl: string
  readonly dashboardUrl: string
  readonly version: string
  /** Unnamed by default. */
  readonly service?: ServiceIdentity
}

/** The problems of every operation. */
const COMMON_PROBLEMS: readonly ProblemKind[] = [
  'malformed-request',
  'api-key-required',
  'organization-suspended',
  'address-not-allowed',
  'method-not-allowed',
  'not-acceptable',
  'request-timeout',
  'uri-too-long',
  'too-many-requests',
  'headers-too-large',
  'internal-error',
  'not-ready',
]

/** The OpenAPI 3.1 document of `/v1`, made from the tables that parse requests. */
export function openApiDocument(info: ServiceInfo): object {
  const { baseUrl, docsUrl, version, service = UNNAMED_SERVICE } = info
  return {
    openapi: '3.1.1',
    info: {
      title: service.name,
      version,
      summary: 'Bookable health-care appointment slots of many publishers in one API.',
      description: introduction(info),
      ...operatorInfo(service),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: docsUrl },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: TAGS,
    paths: pathItems(),
    webhooks: WEBHOOK_ITEMS,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key: `Authorization: Bearer svc_sk_...`.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The API key, for clients that cannot set `Authorization`.',
        },
      },
      schemas: SCHEMAS,
      headers: HEADER_COMPONENTS,
      responses: {
        ...Object.fromEntries(usedBy(false).map((status) => [statusName(status), describeProblem(status, docsUrl)])),
        ...Object.fromEntries(usedBy(true).map((status) => [`${statusName(status)}Outcome`, describeOutcome(status)])),
      },
    },
  }
}

/** The operations by path and method. */
function pathItems(): Readonly<Record<string, object>> {
  const items: Record<string, Record<string, object>> = {}
  for (const operation of OPERATIONS) {
    items[operation.path] ??= {}
    items[operation.path][(operation.method ?? 'GET').toLowerCase()] = describe(operation)
  }
  return items
}

const TAGS = [
  {
    name: 'Slots',
    description:
      'Find open appointment slots, count them, and keep a copy of them. Lists, counts and changes accept the same filters, so they agree.',
  },
  {
    name: 'Feed',
    description:
      'All slots as a SMART Scheduling Links feed: FHIR R4 resources in immutable files, with a chain of updates that another service can follow. Errors are OperationOutcomes.',
  },
  {
    name: 'Subscriptions',
    description:
      'Saved searches that notify: slots that match and become free are sent to your webhook. A subscription has no data about people.',
  },
]

function introduction({ baseUrl, docsUrl, dashboardUrl }: ServiceInfo): string {
  return `One API for the bookable health-care appointment slots of many publishers. It books nothing and holds no patient data: the \`bookingDeepLink\` of a slot leads to its publisher.

- **Base URL**: \`${baseUrl}\`. All operations but those of subscriptions are \`GET\` and change nothing.
- **Authentication**: send an API key as \`Authorization: Bearer svc_sk_…\`. Keys are free: create one in the [dashboard](${dashboardUrl}), and keep it on your server ([authentication](${docsUrl}/authentication)).
- **Errors** have a stable kind and a message that says what is allowed ([errors](${docsUrl}/errors)). Unknown parameters are errors, so a misspelled filter never widens a result.
- **Paging**: lists have an exact \`total\`, and \`Link\` headers lead to the next page ([pagination](${docsUrl}/pagination)). Repeat a request with \`If-None-Match\` to learn that nothing has changed.
- **Limits**: see [limits and pricing](${docsUrl}/limits). Answer 429 by waiting for \`Retry-After\`.
- **Stability**: \`/v1\` only gains fields, parameters and operations ([versioning](${docsUrl}/versioning)).`
}

/** The terms and the contact in the form of an OpenAPI `info` object. */
function operatorInfo({ name, termsUrl, contact }: ServiceIdentity): object {
  const [, email] = /^mailto:([^?]+)/.exec(contact ?? '') ?? []
  return {
    ...(termsUrl !== undefined && { termsOfService: termsUrl }),
    ...(contact !== undefined && { contact: { name, ...(email === undefined ? { url: contact } : { email }) } }),
  }
}

function describe(operation: Operation): object {
  const { id, summary, description, content, headers, optionalHeaders, redirect, problems, body } = operation
  const { status = 200 } = operation
  const kinds = [...COMMON_PROBLEMS, ...problems]
  const failures = statuses().filter((status) => kinds.some((kind) => PROBLEMS[kind].status === status))
  return {
    operationId: id,
    summary,
    description,
    tags: [tagOf(operation)],
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: { [JSON_TYPE]: { schema: reference(body.schema), example: body.example } },
      },
    }),
    responses: {
      ...((Object.keys(content).length > 0 || status !== 200) && {
        [status]: {
          description: SUCCESS[status],
          headers: headerRefs(headers, optionalHeaders),
          ...(status !== 204 && { content }),
        },
      }),
      ...(headers.includes('ETag') && { 304: { description: 'Not modified.', headers: headerRefs(headers) } }),
      ...(redirect !== undefined && {
        [redirect.status]: {
          description: redirect.description,
          headers: headerRefs(['Location', 'Cache-Control']),
        },
      }),
      ...(problems.includes('range-not-satisfiable') && {
        206: {
          description: 'A range of the file.',
          headers: headerRefs([...headers, 'Content-Range'], optionalHeaders),
          content,
        },
      }),
      ...Object.fromEntries(failures.map((status) => [status, { $ref: responseOf(operation, status) }])),
    },
  }
}

const SUCCESS = { 200: 'OK.', 201: 'Created.', 202: 'Accepted.', 204: 'Deleted.' } as const

function tagOf({ path, id }: Operation): string {
  if (isFhirTarget(path)) return TAGS[1].name
  return TAGS[/Subscription|Deliver/.test(id) ? 2 : 0].name
}

function responseOf({ path }: Operation, status: number): string {
  return `#/components/responses/${statusName(status)}${isFhirTarget(path) ? 'Outcome' : ''}`
}

/** The statuses of operations whose errors are OperationOutcomes, or of the others. */
function usedBy(isFhir: boolean): number[] {
  const kinds = OPERATIONS.flatMap(({ path, problems }) => (isFhirTarget(path) === isFhir ? problems : []))
  return statuses().filter((status) => [...COMMON_PROBLEMS, ...kinds].some((kind) => PROBLEMS[kind].status === status))
}

function parametersOf({ pathParameter, itemParameter, parameters, required = [] }: Operation): object[] {
  const ofPath = [pathParameter, itemParameter]
    .flatMap((one) => one ?? [])
    .map((one) => ({ in: 'path', required: true, ...one }))
  return [
    ...ofPath,
    ...Object.entries(parameters).map(([parameter, { description, schema, examples, repeatable }]) => ({
      name: parameter,
      in: 'query',
      description,
      ...(required.includes(parameter) && { required: true }),
      ...(repeatable && { style: 'form', explode: true }),
      ...(examples.includes('') && { allowEmptyValue: true }),
      schema,
      example: repeatable ? examples : exampleValue(examples[0], schema),
    })),
  ]
}

/** The value of an example, which is written as in a URL. */
function exampleValue(example: string, { type }: Readonly<Record<string, unknown>>): unknown {
  if (type === 'integer' || type === 'number') return Number(example)
  return type === 'boolean' ? example === 'true' : example
}

/** Encoded once: the responses to many pipelined requests share the bytes. */
const documents = new WeakMap<ApiContext, { body: Uint8Array; etag: string }>()

/** GET /openapi.json: the OpenAPI document, without an API key. */
export function showDocument(request: IncomingMessage, api: ApiContext): SerializedResponse {
  const { body, etag } = documents.get(api) ?? createDocument(api)
  const headers = [
    ['content-type', JSON_TYPE],
    ['etag', etag],
    ['cache-control', 'public, no-cache'],
  ] as const
  if (isNotModified(request, etag)) return { status: 304, headers: headers.slice(1), body: new Uint8Array() }
  return { status: 200, headers, body }
}

function createDocument(api: ApiContext): { body: Uint8Array; etag: string } {
  const text = JSON.stringify(openApiDocument({ ...api, version: packageJson.version }))
  const document = { body: new TextEncoder().encode(text), etag: etagOfContent(text) }
  documents.set(api, document)
  return document
}
