import type { ApiContext } from '../http/api-context.ts'
import { JSON_TYPE } from '../http/negotiation/accept.ts'
import { Problem, problemOf } from '../http/problem.ts'
import { notReady } from '../http/routes.ts'
import { problemResponse, type SerializedResponse } from '../http/serialized-http.ts'
import { findOperation } from '../http/v1/operations.ts'

/** Answers an operation of `/v1` that is read from memory, to another thread of the node: as to a caller, but without a key. Never throws. */
export function answerOperation(target: string, api: ApiContext): SerializedResponse {
  try {
    const { body, headers } = read(target, api)
    const told = Array.from(
      { length: headers.length / 2 },
      (_, n) => [headers[2 * n], headers[2 * n + 1]] as const,
    )
    // A copy: what it was cut from would be sent along to the other thread.
    return { status: 200, headers: [['content-type', JSON_TYPE], ...told], body: new Uint8Array(body) }
  } catch (thrown) {
    const known = problemOf(thrown)
    if (known === undefined) api.onFault(thrown, { id: '', method: 'GET', url: target })
    const problem = known ?? new Problem('internal-error', 'The service failed. Please try again.')
    return problemResponse(problem)
  }
}

function read(target: string, api: ApiContext) {
  if (!api.isReady()) throw notReady()
  const found = findOperation(target)
  if (found?.operation.read === undefined) throw new Problem('not-found', 'There is no such operation.')
  const nowMs = api.now()
  const { search, name } = found
  return found.operation.read({ search, name, nowMs, allocate: Buffer.allocUnsafeSlow }, api)
}
