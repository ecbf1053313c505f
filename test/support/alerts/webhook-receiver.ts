import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { AlertBody } from '../../../src/notifications/alerts/alert-messages.ts'
import { eventually } from '../eventually.ts'
import { listenOnLoopback } from '../listen-on-loopback.ts'

/** A secret as an operator creates it. */
export const SECRET = `whsec_${Buffer.alloc(32, 'one').toString('base64')}`

/** A received webhook. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: AlertBody
}

/** A real webhook receiver on loopback, which records requests and responds as the test sets. */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** The response from now on. */
  answer: (response: ServerResponse) => void = (response) => response.writeHead(204).end()
  readonly #server = createServer((request, response) => {
    void text(request).then((told) => {
      this.received.push({ headers: request.headers, text: told, body: JSON.parse(told) })
      this.answer(response)
    })
  })

  static async open(t: TestContext): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    await listenOnLoopback(t, receiver.#server)
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook?token=s3cret`
  }

  /** Resolves with the received webhooks once there are this many. */
  whenReceived(count: number): Promise<readonly Received[]> {
    return eventually(() => this.received.length >= count && this.received)
  }
}

/** True if one of the signatures in the header is valid, as the specification tells receivers to verify. */
export function isSigned({ headers, text }: Received, secret = SECRET): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest()
  return String(signatures)
    .split(' ')
    .some((signature) => {
      const [version, given] = signature.split(',')
      const bytes = Buffer.from(given, 'base64')
      return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
    })
}
