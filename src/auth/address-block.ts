import { isIPv6 } from 'node:net'

/**
 * The header in which the account thread passes on whom a request came from. What a client sends under this name is thrown
 * away when the request is taken from its thread, so it is never the client's word.
 */
export const ADDRESS_HEADER = 'x-slots-client-address'

/** The network address that a request came from. */
export function addressOf(headers: Headers): string | undefined {
  return headers.get(ADDRESS_HEADER) ?? undefined
}

/** What is counted as one address: an IPv6 customer has a whole /64 to send from. */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [left, right] = address.toLowerCase().split('%')[0].split('::')
  const groups = left === '' ? [] : left.split(':')
  if (right !== undefined) {
    const after = right === '' ? [] : right.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
