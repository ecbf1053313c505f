import { createHmac } from 'node:crypto'
import { assertPublicHost, publicLookup, type Resolve } from '../../feeds/http/public-address.ts'
import { HTTP_LIMITS, sendRequest } from '../../feeds/http/request.ts'

/** What is posted, and where. */
export interface Webhook {
  readonly url: string
  /** `whsec_…`: one signature for each, so that a secret can be exchanged for another without a gap. */
  readonly secrets: readonly string[]
  /** The same with each try of the same message. */
  readonly id: string
  readonly text: string
  readonly atMs: number
}

/** Where webhooks may lead. */
export interface WebhookRoad {
  /** To private addresses, and by plain http. */
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
  /** Instead of `dns.lookup`. */
  readonly resolve?: Resolve
}

/**
 * Posts JSON as Standard Webhooks 1.0.0 has it, and resolves with the status: whatever else is answered is not read, and no
 * redirect followed. Throws if no answer comes in time, and `PrivateAddress` where the URL leads where it must not.
 */
export async function postWebhook(hook: Webhook, road: WebhookRoad): Promise<number> {
  const { url, secrets, id, text, atMs } = hook
  const { allowPrivate, signal, resolve } = road
  const to = new URL(url)
  if (!allowPrivate) {
    assertPublicHost(to)
    if (to.protocol !== 'https:')
      throw new Error(`Cannot send webhook: protocol must be https: got "${to.protocol}"`)
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
  const options = { method: 'POST', body: text, headers, signal, agent: false, ...lookup } as const
  const response = await sendRequest(to, options, { ...HTTP_LIMITS, connectMs: 10_000, idleMs: 15_000 })
  response.on('error', () => undefined)
  response.destroy()
  return response.statusCode ?? 0
}

function sign(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
