import type { RequestContext } from './api-context.ts'
import type { Problem } from './problem.ts'

/** FHIR's media type for JSON. */
export const FHIR_JSON_TYPE = 'application/fhir+json'

/** Whether errors of a request target are OperationOutcomes: the published feed, with a key and without. */
export function isFhirTarget(target: string): boolean {
  return FHIR_PATH.test(target)
}

const FHIR_PATH = /^\/(?:v1\/)?fhir(?:[/?]|$)/

/** FHIR's issue types by status; `processing` for others. */
const ISSUE_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  406: 'not-supported',
  410: 'deleted',
  414: 'too-long',
  416: 'value',
  429: 'throttled',
  500: 'exception',
  503: 'transient',
}

/** Sends a problem as an OperationOutcome (FHIR R4). */
export function sendOutcome(
  { status, headers, bodyParts }: Pick<Problem, 'status' | 'headers' | 'bodyParts'>,
  { response, requestId }: Pick<RequestContext, 'response' | 'requestId'>,
): void {
  const { error: text, message: diagnostics, parameter } = bodyParts
  const code = ISSUE_TYPES[status] ?? 'processing'
  // FHIR R4, OperationOutcome.issue.location: of a parameter, "http." and its name. `expression` names elements of resources.
  const place = parameter === undefined ? {} : { location: [`http.${parameter}`] }
  const issue = [{ severity: 'error', code, details: { text }, diagnostics, ...place }]
  const body = Buffer.from(JSON.stringify({ resourceType: 'OperationOutcome', issue }))
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    'content-type': FHIR_JSON_TYPE,
    'content-length': body.length,
    'x-request-id': requestId,
  })
  response.end(body)
}
