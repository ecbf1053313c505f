import type { ApiContext } from '../http/api-context.ts'
import { routes } from '../http/routes.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import { plainOf } from './plain-http.ts'

/** Whether the request is one that a serving thread passes on to the main thread, which knows how the node does. */
export function isCheck(method: string | undefined, target: string): boolean {
  return /^\/readyz(?:\?|$)/.test(target) && (method === 'GET' || method === 'HEAD')
}

/** Answers checks of the node's other threads, as the main thread's server does. */
export function checkAnswerer(api: ApiContext): (request: SerializedRequest) => Promise<SerializedResponse> {
  const app = routes(api)
  return async ({ method, target }) => {
    const request = new Request(new URL(target, 'http://localhost'), { method })
    return plainOf(await app.fetch(request))
  }
}
