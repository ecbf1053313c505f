import { FHIR_JSON_TYPE } from '../../fhir-outcome.ts'
import { JSON_TYPE } from '../../negotiation.ts'
import { PROBLEMS, type ProblemKind } from '../../problem.ts'
import { PROBLEM_TYPE } from '../../send-error.ts'
import { HEADERS, type HeaderDocs, type HeaderName } from './headers.ts'
import { reference } from './schema-parts.ts'

/** `optional`: those that a response may lack, although most responses have them. */
export function headerRefs(names: readonly HeaderName[], optional: readonly HeaderName[] = []): object {
  const all: HeaderName[] = ['X-Request-Id', ...names]
  return Object.fromEntries(
    all.map((name) => [
      name,
      optional.includes(name)
        ? describeHeader({ ...HEADERS[name], always: false })
        : { $ref: `#/components/headers/${name}` },
    ]),
  )
}

function describeHeader({ always, ...docs }: Omit<HeaderDocs, 'always'> & { always?: boolean }): object {
  return { ...docs, ...(always && { required: true }) }
}

export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, header]) => [name, describeHeader(header)]),
)

export function statuses(): number[] {
  return [...new Set(Object.values(PROBLEMS).map(({ status }) => status))]
}

function kindsOf(status: number): ProblemKind[] {
  return (Object.keys(PROBLEMS) as ProblemKind[]).filter((kind) => PROBLEMS[kind].status === status)
}

/** The name of a component, such as `NotFound`. */
export function statusName(status: number): string {
  return PROBLEMS[kindsOf(status)[0]].error.replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase())
}

/** Problems of bytes that are not a request: their responses have no headers of ours. */
const UNPARSED: readonly ProblemKind[] = ['malformed-request', 'request-timeout', 'headers-too-large']
/** Problems that may be of that kind. */
const MAYBE_UNPARSED: readonly ProblemKind[] = [...UNPARSED, 'uri-too-long']

function problemHeaders(status: number): object {
  const kinds = kindsOf(status)
  if (kinds.every((kind) => UNPARSED.includes(kind))) return {}
  const names: HeaderName[] = ['Cache-Control', ...(STATUS_HEADERS[status] ?? [])]
  const hasAll = !kinds.some((kind) => MAYBE_UNPARSED.includes(kind))
  return headerRefs(names, hasAll ? [] : ['X-Request-Id', 'Cache-Control'])
}

const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

export function describeProblem(status: number, docsUrl: string): object {
  const errors = kindsOf(status).map((kind) => PROBLEMS[kind].error)
  const message = 'What was wrong, and what is allowed.'
  const documentation = `${docsUrl}/errors#${`${status} ${errors[0]}`.toLowerCase().replaceAll(' ', '-')}`
  return {
    description: `${errors.join(', or: ')}.`,
    headers: problemHeaders(status),
    content: {
      'application/json': { schema: reference('Error'), example: { error: errors[0], message, documentation } },
      [PROBLEM_TYPE]: {
        schema: reference('Problem'),
        example: { type: documentation, title: errors[0], status, detail: message, instance: 'urn:request:0b9f3c1e' },
      },
    },
  }
}

/** As `describeProblem()`; bytes that are not a request have no path. */
export function describeOutcome(status: number): object {
  const errors = kindsOf(status).map((kind) => PROBLEMS[kind].error)
  const issue = [
    {
      severity: 'error',
      code: 'processing',
      details: { text: errors[0] },
      diagnostics: 'What was wrong, and what is allowed.',
    },
  ]
  const schema = reference('OperationOutcome')
  const isMaybeUnparsed = kindsOf(status).some((kind) => MAYBE_UNPARSED.includes(kind))
  const example = { error: errors[0], message: issue[0].diagnostics }
  return {
    description: `${errors.join(', or: ')}.`,
    headers: problemHeaders(status),
    content: {
      [FHIR_JSON_TYPE]: { schema, example: { resourceType: 'OperationOutcome', issue } },
      ...(isMaybeUnparsed && { [JSON_TYPE]: { schema: reference('Error'), example } }),
    },
  }
}
