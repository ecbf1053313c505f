import type { PlainRequest, PlainResponse } from '../account/node-port.ts'
import { plainOf } from '../account/thread/plain-http.ts'
import type { ApiContext } from '../api/api-context.ts'
import { routes } from '../api/routes.ts'

/** Whether the request is one that a serving thread passes on to the main thread, which knows how the node does. */
export function isCheck(method: string | undefined, target: string): boolean {
  return /^\/readyz(?:\?|$)/.test(target) && (method === 'GET' || method === 'HEAD')
}

/** Answers checks of the node's other threads, as the main thread's server does. */
export function checkAnswerer(api: ApiContext): (request: PlainRequest) => Promise<PlainResponse> {
  const app = routes(api)
  return async ({ method, target }) => {
    const request = new Request(new URL(target, 'http://localhost'), { method })
    return plainOf(await app.fetch(request))
  }
}
