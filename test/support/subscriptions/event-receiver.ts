import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../eventually.ts'

/** The body of an event, as receivers parse it. */
export interface ReceivedBody {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly subscriptionId: string
    readonly challenge?: string
    readonly revision?: string
    readonly total?: number
    readonly ids?: readonly string[]
    readonly slots?: readonly { readonly id: string }[]
    readonly changes?: string
  }
}

export interface ReceivedEvent {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: ReceivedBody
}

/**
 * A receiver on loopback that returns the challenge of verifications and records all events. Each test may set another response. Hosts are
 * told apart by address: all of 127.0.0.0/8 is loopback on Linux.
 */
export class EventReceiver implements AsyncDisposable {
  readonly received: ReceivedEvent[] = []
  /** Returns the challenge of verifications. */
  echoes = true
  /** The response to verifications, unless the challenge is returned. */
  answerVerification: ((response: ServerResponse) => void) | undefined
  /** The response to events other than verifications. */
  answer: (response: ServerResponse, event: ReceivedEvent) => void = (response) => response.writeHead(204).end()
  readonly #server = createServer((request, response) => {
    void text(request).then((text) => {
      const body: ReceivedBody = JSON.parse(text)
      const event = { id: String(request.headers['webhook-id']), headers: request.headers, text, body }
      this.received.push(event)
      const isVerification = body.type === 'subscription.verification'
      if (isVerification && this.answerVerification !== undefined) this.answerVerification(response)
      else if (isVerification) response.end(this.echoes ? body.data.challenge : 'hello')
      else this.answer(response, event)
    })
  })

  static async open(port = 0): Promise<EventReceiver> {
    const receiver = new EventReceiver()
    receiver.#server.listen(port, '0.0.0.0')
    await once(receiver.#server, 'listening')
    return receiver
  }

  url(address = '127.0.0.1', path = '/hook'): string {
    return `http://${address}:${(this.#server.address() as AddressInfo).port}${path}`
  }

  /** Without verifications. */
  get events(): readonly ReceivedEvent[] {
    return this.received.filter(({ body }) => body.type !== 'subscription.verification')
  }

  whenReceived(count: number): Promise<readonly ReceivedEvent[]> {
    return eventually(() => this.events.length >= count && this.events)
  }

  /** Accepts no connection any more. */
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Ends all connections. */
  hangUp(): void {
    this.#server.closeAllConnections()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    this.close()
    await once(this.#server, 'close')
  }
}

/** True if the reference implementation of Standard Webhooks accepts the event. It rejects timestamps that are more than five minutes off. */
export function isVerified({ text, headers }: ReceivedEvent, secret: string): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
