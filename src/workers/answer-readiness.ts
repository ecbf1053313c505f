import type { ApiContext } from '../http/api-context.ts'
import { showReady } from '../http/health.ts'
import { internalError, problemOf } from '../http/problem.ts'
import { problemResponse, type SerializedRequest, type SerializedResponse } from '../http/serialized-http.ts'

/** Whether a serving thread relays the request to the main thread, which knows the state of the node. */
export function isCheck(method: string | undefined, target: string): boolean {
  return /^\/readyz(?:\?|$)/.test(target) && (method === 'GET' || method === 'HEAD')
}

/** Answers readiness checks of the other threads like the main thread's own server. */
export function checkAnswerer(api: ApiContext): (request: SerializedRequest) => Promise<SerializedResponse> {
  return async ({ target, method, requestId }) => {
    try {
      return showReady(target, api)
    } catch (error) {
      const known = problemOf(error)
      if (known === undefined) api.onError(error, { id: requestId, method, url: target })
      return problemResponse(known ?? internalError(requestId))
    }
  }
}
