import { type AskService, readAnswer, Unanswered } from './query-service.ts'

/** No answer takes longer that an assistant could still use. */
const TIMEOUT_MS = 15_000

/** Asks a running service. `url`: where callers reach it, without a slash at its end. The key is sent there and nowhere else. */
export function askOverHttp({ url, apiKey }: { url: string; apiKey: string }): AskService {
  return async (path, search) => {
    const target = `${url}${path}${search === '' ? '' : `?${search}`}`
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
    const { status, text, told } = await request(target, headers).catch((fault: unknown) => {
      throw new Unanswered(`The service at ${url} cannot be reached: ${reasonOf(fault)}.`)
    })
    return readAnswer(status, text, (name) => told.get(name) ?? undefined)
  }
}

/** A redirect is not followed: it could lead to a host that the key is not for. */
async function request(target: string, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(target, { headers, signal, redirect: 'manual' })
  return { status: response.status, text: await response.text(), told: response.headers }
}

function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'no reason is known'
  if (fault.name === 'TimeoutError') return `it did not answer within ${TIMEOUT_MS / 1000} seconds`
  const { cause } = fault
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}
