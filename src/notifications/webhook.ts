import { createHmac } from 'node:crypto'
import type { Agent as HttpAgent, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { assertPublicHost, publicLookup, type Resolve } from '../feeds/http/public-address.ts'
import { HTTP_LIMITS, sendHttpRequest } from '../feeds/http/request.ts'
import { resolveByDns } from './resolve-by-dns.ts'

export interface Webhook {
  readonly url: string
  /** `whsec_…`: one signature for each, so that a secret can be rotated without a gap. */
  readonly secrets: readonly string[]
  /** The same for every attempt of a message. */
  readonly id: string
  readonly text: string
  readonly atMs: number
}

interface WebhookOptions {
  /** Whether private addresses and http are allowed. */
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
  /** In `User-Agent`, for receivers. */
  readonly purpose: 'alerts' | 'subscriptions'
  /** Bytes of the response to read; 0 by default. */
  readonly readBytesMax?: number
  /** Keeps connections; closes each by default. Addresses are checked when a connection is made. */
  readonly agentFor?: (url: URL) => HttpAgent | HttpsAgent
  /** Of public addresses: `resolveByDns()` by default. */
  readonly resolve?: Resolve
}

export interface WebhookResponse {
  readonly status: number
  /** The header Retry-After, as it was sent. */
  readonly retryAfter?: string
  /** The beginning of the body. */
  readonly body: string
}

/**
 * Posts JSON according to Standard Webhooks 1.0.0 and resolves with the response, of which at most `readBytesMax` are read. Follows no
 * redirects. Throws if there is no response in time, and `PrivateAddress` if the URL leads to a private address.
 */
export async function postWebhook(hook: Webhook, options: WebhookOptions): Promise<WebhookResponse> {
  const { url, secrets, id, text, atMs } = hook
  const { allowPrivate, signal, purpose, readBytesMax = 0, agentFor, resolve = resolveByDns() } = options
  const to = new URL(url)
  if (!allowPrivate) {
    assertPublicHost(to)
    if (to.protocol !== 'https:')
      throw new Error(`Cannot deliver webhook: the URL must use https, not "${to.protocol}"`)
  }
  const timestamp = String(Math.floor(atMs / 1000))
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'user-agent': `scheduling-slots (${purpose})`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${text}`)).join(' '),
  }
  const lookup = allowPrivate ? {} : { lookup: publicLookup(resolve) }
  const init = { method: 'POST', body: text, headers, signal, agent: agentFor?.(to) ?? false, ...lookup } as const
  const response = await sendHttpRequest(to, init, { ...HTTP_LIMITS, connectMs: 10_000, idleMs: 15_000 })
  const retryAfter = response.headers['retry-after']
  const body = await readBeginning(response, readBytesMax)
  return { status: response.statusCode ?? 0, body, ...(retryAfter !== undefined && { retryAfter }) }
}

/** The first bytes of a response. A response that is longer, or that breaks off, ends its connection; the status counts. */
async function readBeginning(response: IncomingMessage, bytesMax: number): Promise<string> {
  response.on('error', () => undefined)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (bytesMax > 0) {
      for await (const chunk of response) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= bytesMax) break
      }
    }
  } catch {
    // A receiver that responded with a status has got the message.
  }
  if (!response.complete) response.destroy()
  return Buffer.concat(chunks).subarray(0, bytesMax).toString()
}

function sign(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
