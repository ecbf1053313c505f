import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

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

/** Without the port that some proxies add; an IPv4-mapped address as IPv4. */
function plain(address: string): string {
  const text = address.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bracketed)?.[1] ?? bracketed
  return withoutPort.replace(/^::ffff:(?=\d+\.)/i, '')
}
