import type { MessagePort } from 'node:worker_threads'
import { addressBlock } from '../lib/network-address.ts'
import { DashboardProblem, type DashboardProblemCode } from '../shared/dashboard-problem.ts'
import type { FairCaller } from './fair-queue.ts'
import { JSON_TYPE } from './negotiation.ts'
import { Problem, type ProblemKind } from './problem.ts'

/** An HTTP request in a form that can be posted to another thread. */
export interface SerializedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  /** At most `BODY_BYTES_MAX`. */
  readonly body?: Uint8Array
  /** In place of `body`: the port that a large body arrives through. It must be transferred with the request. */
  readonly upload?: MessagePort
  /** The client's address, as far as the configuration trusts proxies. */
  readonly address: string
  readonly requestId: string
  /**
   * The path of the operation of `/v1`, or `/mcp`, whose API key has been checked. Absent for requests to the dashboard API: the
   * target alone proves nothing.
   */
  readonly operation?: string
  /** Whose key it is; set together with `operation`. */
  readonly caller?: FairCaller
}

/** The unit of fairness: the organization of a key, otherwise the address block. */
export function ownerOf({ caller, address }: { caller?: FairCaller | undefined; address: string }): string {
  return caller?.organizationId ?? addressBlock(address)
}

/** A complete HTTP response in a form that can be posted to another thread. `set-cookie` may occur more than once. */
export interface SerializedResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** A problem that both APIs have. */
export type CommonProblem = ProblemKind & DashboardProblemCode

/** The largest body that is read whole before its request is answered. Every form of the dashboard is far smaller. */
export const BODY_BYTES_MAX = 64 * 1024

/** The connection closed before the whole body arrived. */
export class BodyTruncated extends Error {
  override readonly name = 'BodyTruncated'

  constructor() {
    super('The request body was truncated: the connection closed early')
  }
}

export function jsonResponse(
  text: string,
  { status = 200, headers = [] }: { status?: number; headers?: SerializedResponse['headers'] } = {},
): SerializedResponse {
  return { status, headers: [['content-type', JSON_TYPE], ...headers], body: new TextEncoder().encode(text) }
}

export function problemResponse({ status, body, headers }: Problem): SerializedResponse {
  return jsonResponse(body, { status, headers: Object.entries(headers) })
}

export function dashboardProblemResponse({ status, details, headers }: DashboardProblem): SerializedResponse {
  return {
    status,
    headers: [['content-type', 'application/problem+json'], ...Object.entries(headers)],
    body: new TextEncoder().encode(JSON.stringify(details)),
  }
}

/** Rejects a request in the form of its API: only requests to `/v1` and `/mcp` have an `operation`. */
export function rejection(
  { operation }: Pick<SerializedRequest, 'operation'>,
  code: CommonProblem,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): SerializedResponse {
  return operation === undefined
    ? dashboardProblemResponse(new DashboardProblem(code, message, { headers }))
    : problemResponse(new Problem(code, message, { headers }))
}
