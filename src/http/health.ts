import packageJson from '../../package.json' with { type: 'json' }
import type { ApiContext } from './api-context.ts'
import { Problem } from './problem.ts'
import { jsonResponse, type SerializedResponse } from './serialized-http.ts'

export const READINESS_PATH = '/readyz'

const NO_STORE = [['cache-control', 'no-store']] as const

/** GET /livez: the process runs and its event loop is not blocked. */
export function showLive(): SerializedResponse {
  return jsonResponse('{"status":"live"}', { headers: NO_STORE })
}

/**
 * GET /readyz: the index and the keys are loaded, and the node is not draining, so it may receive traffic. `?verbose` adds the state of
 * the node, for clients of an internal network only. An unavailable database does not change the status: the node serves
 * from memory. Throws `Problem('not-ready')`.
 */
export function showReady(
  { target, isInternal }: { readonly target: string; readonly isInternal: boolean },
  api: ApiContext,
): SerializedResponse {
  const condition = api.condition?.()
  const problem = !api.isReady()
    ? notReady()
    : condition?.draining
      ? notReady('This node is shutting down. Please use another node.')
      : undefined
  const status = problem === undefined ? 'ready' : condition?.draining ? 'draining' : 'loading'
  if (isInternal && isVerbose(target)) {
    const revision = api.index.revision
    const report = {
      ...problem?.bodyParts,
      status,
      version: packageJson.version,
      slots: api.index.length,
      revision,
      ...condition,
    }
    return jsonResponse(JSON.stringify(report), {
      status: problem === undefined ? 200 : 503,
      headers: [...Object.entries(problem?.headers ?? {}), ...NO_STORE],
    })
  }
  if (problem !== undefined) throw problem
  return jsonResponse(JSON.stringify({ status, slots: api.index.length }), { headers: NO_STORE })
}

/** By default because the index and the keys are not loaded yet. */
export function notReady(message = 'The slots are being loaded. Please try again in a second.'): Problem {
  return new Problem('not-ready', message, { headers: { 'retry-after': '1' } })
}

function isVerbose(target: string): boolean {
  const mark = target.indexOf('?')
  return mark !== -1 && new URLSearchParams(target.slice(mark)).has('verbose')
}
