import { isIP, isIPv6 } from 'node:net'

/** An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) as IPv4; others as they are. */
export function unmappedAddress(address: string): string {
  return address.startsWith('::') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address
}

/**
 * The address of a caller: the peer of the connection or, behind `trustedProxies` proxies, what the outermost of them added to
 * `X-Forwarded-For`. Entries further left were sent by the caller and cannot be trusted.
 */
export function callerAddress(
  peer: string,
  forwarded: string | readonly string[] | undefined,
  trustedProxies: number,
): string {
  if (trustedProxies === 0) return unmappedAddress(peer)
  const entries = [forwarded ?? []].flat().join(',').split(',')
  // A zone (RFC 4007) means nothing to others, and may have any length.
  const [claimed] = plainAddress(entries.at(-Math.min(trustedProxies, entries.length)) ?? '').split('%')
  return isIP(claimed) === 0 ? unmappedAddress(peer) : claimed
}

/** Without the port that some proxies add; an IPv4-mapped address as IPv4. */
function plainAddress(address: string): string {
  const text = address.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bracketed)?.[1] ?? bracketed
  return unmappedAddress(withoutPort)
}

/** Groups addresses for limits: an IPv6 customer usually has a whole /64 network. */
export function addressBlock(address: string): string {
  const plain = unmappedAddress(address)
  if (!isIPv6(plain)) return plain
  return `${ipv6Groups(plain).slice(0, 4).join(':')}::/64`
}

/** The groups of an IPv6 address, in hexadecimal digits and lower case: eight, unless it ends in dotted decimals. */
export function ipv6Groups(address: string): string[] {
  const [left, right] = address.toLowerCase().split('%')[0].split('::')
  const groups = left === '' ? [] : left.split(':')
  if (right === undefined) return groups
  const after = right === '' ? [] : right.split(':')
  while (groups.length + after.length < 8) groups.push('0')
  return [...groups, ...after]
}
