import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isPublicAddress } from '../feeds/http/public-address.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { unmappedAddress } from '../lib/network-address.ts'

/**
 * The address of the client: the peer of the connection or, behind `trustedProxies` proxies, what the outermost of them added to
 * `X-Forwarded-For`. Entries further left were sent by the client and cannot be trusted.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const nearest = plain(request.socket.remoteAddress ?? '')
  if (trustedProxies === 0) return nearest
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const claimed = plain(forwarded.at(-Math.min(trustedProxies, forwarded.length)) ?? '')
  return isIP(claimed) === 0 ? nearest : claimed
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

/** Without the port that some proxies add; an IPv4-mapped address as IPv4. */
function plain(address: string): string {
  const text = address.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bracketed)?.[1] ?? bracketed
  return unmappedAddress(withoutPort)
}
