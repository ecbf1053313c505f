import type { Slot } from './query.ts'

/** Slots that now match a subscription and are free, or that no longer are. */
export interface SlotsEvent {
  readonly type: 'slots.opened' | 'slots.closed'
  /** RFC 3339. */
  readonly timestamp: string
  readonly data: {
    readonly subscriptionId: string
    /** The revision after these changes. */
    readonly revision: string
    /** Number of slots. Above 1,000, `ids` and `slots` are empty: request `changes`. */
    readonly total: number
    /** In order of start. */
    readonly ids: readonly string[]
    /** The first 25, as the API serves them. Without those that are no longer served. */
    readonly slots?: readonly Slot[]
    /** The request for these changes. */
    readonly changes: string
  }
}

/** Respond with the challenge as the body: the subscription then becomes active. */
export interface VerificationEvent {
  readonly type: 'subscription.verification'
  readonly timestamp: string
  readonly data: { readonly subscriptionId: string; readonly challenge: string }
}

/** Sent on request. */
export interface TestEvent {
  readonly type: 'subscription.test'
  readonly timestamp: string
  readonly data: { readonly subscriptionId: string }
}

/** The body of a webhook. Ignore types that you do not know. */
export type WebhookEvent = SlotsEvent | VerificationEvent | TestEvent

/** A request that a webhook receiver got. */
export interface WebhookRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** As received: parsing and formatting it again would break the signature. */
  readonly body: string
  /** `whsec_…`; while a secret is rotated, the old one and the new one. */
  readonly secret: string | readonly string[]
  /** Maximum age of the request, and how far its clock may be ahead. Default: 300. */
  readonly toleranceSeconds?: number
}

/** The request is not from the service, or was sent before. Respond 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** The event of a request, once its signature is valid (Standard Webhooks 1.0.0). Rejects with a `WebhookError`. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { body, secret, toleranceSeconds = 300 } = request
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(request, name))
  const ageSeconds = Date.now() / 1000 - Number(timestamp)
  // Also false for a timestamp that is not a number.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) throw new WebhookError('The timestamp is too old or in the future')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const each of [secret].flat())
    for (const signature of signatures.split(' ')) if (await isSigned(signed, signature, each)) return JSON.parse(body)
  throw new WebhookError('No signature is valid')
}

/** Throws a `WebhookError` unless the header is there once. */
function headerOf({ headers }: WebhookRequest, name: string): string {
  const full = `webhook-${name}`
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  // Some gateways keep the case of a client or a proxy.
  // `headersDistinct` of Node.js and some gateways have a list for each header.
  const values = [entries.find(([key]) => key.toLowerCase() === full)?.[1] ?? []].flat()
  if (values.length === 1) return values[0]
  throw new WebhookError(`The header ${full} is missing or repeated`)
}

/** The runtime compares in constant time. */
async function isSigned(signed: BufferSource, signature: string, secret: string): Promise<boolean> {
  const [version, code] = signature.split(',')
  if (version !== 'v1' || code === undefined) return false
  const bytes = bytesOf(code)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = bytesOf(secret.replace('whsec_', ''))
  if (bytes === undefined) return false
  if (!key?.length) throw new TypeError('Invalid secret: use the one that begins with whsec_')
  return crypto.subtle.verify(
    'HMAC',
    await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']),
    bytes,
    signed,
  )
}

/** Undefined for text that is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
