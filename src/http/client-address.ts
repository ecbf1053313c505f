import type { IncomingMessage } from 'node:http'
import { isPublicAddress } from '../feeds/http/public-address.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { callerAddress } from '../lib/network-address.ts'

/** The address of the client of a request. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  return callerAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for'], trustedProxies)
}

/** Whether a client is on a private network or this machine. Not if it came through a proxy that is not trusted: its address is unknown. */
export function isInternalClient(client: {
  readonly address: string
  /** It sent `X-Forwarded-For` or `Forwarded`. */
  readonly isForwarded: boolean
  readonly trustedProxies: number
}): boolean {
  return (client.trustedProxies > 0 || !client.isForwarded) && !isPublicAddress(client.address)
}

/** Warns once of a proxy that is not configured: behind it, all people share one address and its limits. */
export class ForwardedNotice {
  readonly #onEvent: (event: LogEvent) => void
  #isNeeded: boolean

  constructor(trustedProxies: number, onEvent: (event: LogEvent) => void) {
    this.#onEvent = onEvent
    this.#isNeeded = trustedProxies === 0
  }

  note({ headers }: Pick<IncomingMessage, 'headers'>): void {
    if (!this.#isNeeded || headers['x-forwarded-for'] === undefined) return
    this.#isNeeded = false
    const fields = { hint: 'Set TRUSTED_PROXIES to the number of your proxies, or remove the header.' }
    this.#onEvent({ level: 'warn', message: 'forwarded address was ignored', fields })
  }
}
