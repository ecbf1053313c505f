import { JSON_TYPE } from './negotiation/accept.ts'
import { parseWeightedList } from './negotiation/weighted-list.ts'
import type { Problem } from './problem.ts'

/** The media type of RFC 9457, 3. */
export const PROBLEM_TYPE = 'application/problem+json'

/** A problem's body, and in which form it is. */
export interface ProblemContent {
  readonly type: string
  readonly body: string
}

/**
 * What a problem is answered with: RFC 9457 for whoever names it in `Accept`, otherwise `{"error","message"}`.
 *
 * `type` leads to what the documentation says of the problem; `instance` is the request's id as a URN (RFC 8141, 2).
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

/** By name alone: who accepts anything knows nothing of it. */
function wantsProblemType(accept: string | undefined): boolean {
  if (accept?.toLowerCase().includes(PROBLEM_TYPE) !== true) return false
  const ranges = parseWeightedList(accept)
  const weightOf = (type: string) => ranges.find(({ name }) => name === type)?.weight ?? 0
  const weight = weightOf(PROBLEM_TYPE)
  return weight > 0 && weight >= weightOf(JSON_TYPE)
}
