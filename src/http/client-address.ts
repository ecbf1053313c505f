import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Whom a request came from: the connection's other end, or, behind so many proxies of ours, what the outermost of them
 * wrote into `X-Forwarded-For`. What stands further left was sent by the client and may be anything.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const nearest = plain(request.socket.remoteAddress ?? '')
  if (trustedProxies === 0) return nearest
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const told = plain(forwarded.at(-Math.min(trustedProxies, forwarded.length)) ?? '')
  return isIP(told) === 0 ? nearest : told
}

/** Without the port that some proxies add, and an IPv4 address as itself. */
function plain(address: string): string {
  const text = address.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bracketed)?.[1] ?? bracketed
  return withoutPort.replace(/^::ffff:(?=\d+\.)/i, '')
}
