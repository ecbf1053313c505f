import { isIPv6 } from 'node:net'

/** The header with the client's address, set by the dashboard thread. A value that a client sends is removed before. */
export const ADDRESS_HEADER = 'x-slots-client-address'

/** The client's network address. */
export function addressOf(headers: Headers): string | undefined {
  return headers.get(ADDRESS_HEADER) ?? undefined
}

/** Groups addresses for limits: an IPv6 customer usually has a whole /64 network. */
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
