import { createHmac } from 'node:crypto'
import { assertPublicHost, publicLookup, type Resolve } from '../../feeds/http/public-address.ts'
import { HTTP_LIMITS, sendHttpRequest } from '../../feeds/http/request.ts'

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
  /** Replaces `dns.lookup`. */
  readonly resolve?: Resolve
}

/**
 * Posts JSON according to Standard Webhooks 1.0.0 and resolves with the status. Does not read the response's body and follows no
 * redirects. Throws if there is no response in time, and `PrivateAddress` if the URL leads to a private address.
 */
export async function postWebhook(hook: Webhook, options: WebhookOptions): Promise<number> {
  const { url, secrets, id, text, atMs } = hook
  const { allowPrivate, signal, resolve } = options
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
    'user-agent': 'scheduling-slots (alerts)',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${text}`)).join(' '),
  }
  const lookup = allowPrivate ? {} : { lookup: publicLookup(resolve) }
  const init = { method: 'POST', body: text, headers, signal, agent: false, ...lookup } as const
  const response = await sendHttpRequest(to, init, { ...HTTP_LIMITS, connectMs: 10_000, idleMs: 15_000 })
  response.on('error', () => undefined)
  response.destroy()
  return response.statusCode ?? 0
}

function sign(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
