import type { ApiContext } from '../http/api-context.ts'
import { notReady } from '../http/health.ts'
import { JSON_TYPE } from '../http/negotiation.ts'
import { Problem, problemOf } from '../http/problem.ts'
import { problemResponse, type SerializedResponse } from '../http/serialized-http.ts'
import type { OperationResponse } from '../http/v1/operation.ts'
import { matchOperation } from '../http/v1/operations.ts'

/** Runs an operation of `/v1` for another thread of the node, without an API key. Never throws: errors become responses. */
export function answerOperation(target: string, api: ApiContext): SerializedResponse {
  try {
    const { body, headers } = read(target, api)
    const pairs = Array.from(
      { length: headers.length / 2 },
      (_, n) => [headers[2 * n], headers[2 * n + 1]] as const,
    )
    // A copy, because posting a slice would also post the buffer that it is part of.
    return { status: 200, headers: [['content-type', JSON_TYPE], ...pairs], body: new Uint8Array(body) }
  } catch (error) {
    const known = problemOf(error)
    if (known === undefined) api.onError(error, { id: '', method: 'GET', url: target })
    const problem = known ?? new Problem('internal-error', 'The service failed. Please try again.')
    return problemResponse(problem)
  }
}

function read(target: string, api: ApiContext): OperationResponse {
  if (!api.isReady()) throw notReady()
  const match = matchOperation(target)
  if (match?.operation.handler !== 'index' || match.operation.read === undefined)
    throw new Problem('not-found', 'There is no such operation.')
  const { search, name } = match
  return match.operation.read({ search, name, nowMs: api.now(), allocate: Buffer.allocUnsafeSlow }, api)
}
