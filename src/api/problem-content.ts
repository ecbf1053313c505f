import { JSON_TYPE } from './accept.ts'
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
  problem: Problem,
  { accept, requestId, docsUrl }: { accept: string | undefined; requestId: string; docsUrl: string },
): ProblemContent {
  if (!wantsProblemType(accept)) return { type: JSON_TYPE, body: problem.body }
  const { error, message, parameter } = problem.bodyParts
  const { status } = problem
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
  const qualityOf = (type: string) => {
    const range = accept
      .toLowerCase()
      .split(',')
      .find((each) => each.trim().split(';')[0].trim() === type)
    return range === undefined ? undefined : Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1)
  }
  const quality = qualityOf(PROBLEM_TYPE) ?? 0
  return quality > 0 && quality >= (qualityOf(JSON_TYPE) ?? 0)
}
