import { PROBLEMS, type ProblemKind } from '../../problem.ts'
import { PROBLEM_TYPE } from '../../problem-content.ts'
import { DESCRIBED, type DescribedOperation } from './described-operations.ts'
import { type DescribedHeader, HEADERS, type HeaderName } from './headers.ts'
import { reference, SCHEMAS } from './schemas.ts'

/** Where a service is, and which. */
export interface Published {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly docsUrl: string
  readonly dashboardUrl: string
  readonly version: string
}

/** What may be answered to any operation. */
const OF_ALL: readonly ProblemKind[] = [
  'malformed-request',
  'api-key-required',
  'method-not-allowed',
  'not-acceptable',
  'request-timeout',
  'uri-too-long',
  'headers-too-large',
  'internal-error',
  'not-ready',
]

/**
 * The API as an OpenAPI 3.1 document: parameters are what requests are read by, so that both say the same.
 */
export function openApiDocument(published: Published): object {
  const { baseUrl, docsUrl, dashboardUrl, version } = published
  return {
    openapi: '3.1.1',
    info: {
      title: 'Scheduling Slots',
      version,
      summary: 'Bookable health-care appointment slots of many publishers, by one API.',
      description: `Keys are free: make one in the [dashboard](${dashboardUrl}). The [documentation](${docsUrl}) has guides to all of it.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: docsUrl },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [{ name: 'Slots', description: 'Finding slots, and keeping a copy of them.' }],
    paths: Object.fromEntries(
      Object.entries(DESCRIBED).map(([path, operation]) => [path, { get: describe(operation) }]),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key: `Authorization: Bearer svc_sk_...`.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The key, where that header is taken.',
        },
      },
      schemas: SCHEMAS,
      headers: HEADER_COMPONENTS,
      responses: Object.fromEntries(
        statuses().map((status) => [nameOf(status), problemResponse(status, docsUrl)]),
      ),
    },
  }
}

function describe(operation: DescribedOperation): object {
  const { id, summary, description, answers, headers, sometimes, redirect, problems } = operation
  const kinds = [...OF_ALL, ...problems]
  const failures = statuses().filter((status) => kinds.some((kind) => PROBLEMS[kind].status === status))
  const notModified = headers.includes('ETag')
    ? {
        304: {
          description: 'What the caller holds is still so.',
          headers: headerRefs(headers),
        },
      }
    : {}
  return {
    operationId: id,
    summary,
    description,
    tags: ['Slots'],
    parameters: parametersOf(operation),
    responses: {
      200: { description: 'As asked.', headers: headerRefs(headers, sometimes), content: answers },
      ...notModified,
      ...(redirect !== undefined && {
        307: { description: redirect, headers: headerRefs(['Location', 'Cache-Control']) },
      }),
      ...Object.fromEntries(
        failures.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
      ),
    },
  }
}

function parametersOf({ name, parameters, required = [] }: DescribedOperation): object[] {
  const ofPath =
    name === undefined
      ? []
      : [
          {
            name: name.is,
            in: 'path',
            required: true,
            description: name.description,
            schema: name.schema,
            example: name.example,
          },
        ]
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
      example: repeatable ? examples : asWritten(examples[0], schema),
    })),
  ]
}

/** Examples are as they stand in a URL. */
function asWritten(example: string, { type }: Readonly<Record<string, unknown>>): unknown {
  if (type === 'integer' || type === 'number') return Number(example)
  return type === 'boolean' ? example === 'true' : example
}

/** `sometimes`: those that are there or not, though as a rule they are there. */
function headerRefs(names: readonly HeaderName[], sometimes: readonly HeaderName[] = []): object {
  const all: HeaderName[] = ['X-Request-Id', ...names]
  return Object.fromEntries(
    all.map((name) => [
      name,
      sometimes.includes(name)
        ? describeHeader({ ...HEADERS[name], always: false })
        : { $ref: `#/components/headers/${name}` },
    ]),
  )
}

function describeHeader({ always, ...said }: Omit<DescribedHeader, 'always'> & { always?: boolean }): object {
  return { ...said, ...(always && { required: true }) }
}

const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, header]) => [name, describeHeader(header)]),
)

function statuses(): number[] {
  return [...new Set(Object.values(PROBLEMS).map(({ status }) => status))]
}

function kindsOf(status: number): ProblemKind[] {
  return (Object.keys(PROBLEMS) as ProblemKind[]).filter((kind) => PROBLEMS[kind].status === status)
}

/** `NotFound`, for a component. */
function nameOf(status: number): string {
  return PROBLEMS[kindsOf(status)[0]].error.replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase())
}

/** What could not be read as a request is answered with a body alone. */
const UNREAD: readonly ProblemKind[] = ['malformed-request', 'request-timeout', 'headers-too-large']
/** What may not have been. */
const HALF_READ: readonly ProblemKind[] = [...UNREAD, 'uri-too-long']

function problemHeaders(status: number): object {
  const kinds = kindsOf(status)
  if (kinds.every((kind) => UNREAD.includes(kind))) return {}
  const names: HeaderName[] = ['Cache-Control', ...(OF_STATUS[status] ?? [])]
  const isSure = !kinds.some((kind) => HALF_READ.includes(kind))
  return headerRefs(names, isSure ? [] : ['X-Request-Id', 'Cache-Control'])
}

const OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  503: ['Retry-After'],
}

function problemResponse(status: number, docsUrl: string): object {
  const errors = kindsOf(status).map((kind) => PROBLEMS[kind].error)
  const message = 'What was wrong, and what would be right.'
  const type = `${docsUrl}/errors#${`${status} ${errors[0]}`.toLowerCase().replaceAll(' ', '-')}`
  return {
    description: `${errors.join(', or: ')}.`,
    headers: problemHeaders(status),
    content: {
      'application/json': { schema: reference('Error'), example: { error: errors[0], message } },
      [PROBLEM_TYPE]: {
        schema: reference('Problem'),
        example: { type, title: errors[0], status, detail: message, instance: 'urn:request:0b9f3c1e' },
      },
    },
  }
}
