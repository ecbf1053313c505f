import { QueryError, type QueryService, readResult } from './query-service.ts'

/** Assistants give up after about this time. */
const TIMEOUT_MS = 15_000

/** Queries a running service. `url` is its base URL without a trailing slash; the key is sent to that host only. */
export function queryOverHttp({ url, apiKey }: { url: string; apiKey: string }): QueryService {
  return async (path, search) => {
    const target = `${url}${path}${search === '' ? '' : `?${search}`}`
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
    const response = await request(target, headers).catch((error: unknown) => {
      throw new QueryError(`The service at ${url} cannot be reached: ${reasonOf(error)}.`)
    })
    return readResult(response.status, response.text, (name) => response.headers.get(name) ?? undefined)
  }
}

/** Redirects are not followed: they could send the key to another host. */
async function request(target: string, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(target, { headers, signal, redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}
