import { JSON_TYPE, parseWeightedList } from './negotiation.ts'
import type { Problem } from './problem.ts'

/** The media type of RFC 9457, 3. */
export const PROBLEM_TYPE = 'application/problem+json'

/** A problem's body and its media type. */
export interface ProblemContent {
  readonly type: string
  readonly body: string
}

/**
 * The response body of a problem: RFC 9457 if `Accept` names that type, otherwise `{"error","message"}`. `type` is the URL of its
 * documentation; `instance` is the request id as a URN (RFC 8141, 2).
 */
export function problemContent(
  { status, bodyParts }: Pick<Problem, 'status' | 'bodyParts'>,
  { accept, requestId, docsUrl }: { accept: string | undefined; requestId: string; docsUrl: string },
): ProblemContent {
  if (!wantsProblemType(accept)) return { type: JSON_TYPE, body: JSON.stringify(bodyParts) }
  const { error, message, parameter } = bodyParts
  const body = {
    type: `${docsUrl}/errors#${`${status} ${error}`.toLowerCase().replaceAll(' ', '-')}`,
    title: error,
    status,
    detail: message,
    instance: `urn:request:${encodeURIComponent(requestId)}`,
    parameter,
  }
  return { type: PROBLEM_TYPE, body: JSON.stringify(body) }
}

/** Only by its name: callers that send a wildcard do not expect the type. */
function wantsProblemType(accept: string | undefined): boolean {
  if (accept?.toLowerCase().includes(PROBLEM_TYPE) !== true) return false
  const ranges = parseWeightedList(accept)
  const weightOf = (type: string) => ranges.find(({ name }) => name === type)?.weight ?? 0
  const weight = weightOf(PROBLEM_TYPE)
  return weight > 0 && weight >= weightOf(JSON_TYPE)
}
