import { DashboardProblem, type DashboardProblemCode } from '../shared/dashboard-problem.ts'
import { Problem, type ProblemKind } from './problem.ts'
import { problemResponse, type SerializedRequest, type SerializedResponse } from './serialized-http.ts'

/** Problems that `/v1` and the dashboard API have in common. */
export type CommonProblem = ProblemKind & DashboardProblemCode

/** Rejects a request in the form of its API: only requests to `/v1` and `/mcp` have an `operation`. */
export function rejection(
  { operation }: Pick<SerializedRequest, 'operation'>,
  code: CommonProblem,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): SerializedResponse {
  if (operation !== undefined) return problemResponse(new Problem(code, message, { headers }))
  const { status, details } = new DashboardProblem(code, message)
  return {
    status,
    headers: [['content-type', 'application/problem+json'], ...Object.entries(headers)],
    body: new TextEncoder().encode(JSON.stringify(details)),
  }
}
