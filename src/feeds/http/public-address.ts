import { type LookupAddress, type LookupOptions, lookup as resolveName } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** As `dns.lookup` with `all: true`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A host name or URL resolves to a private address. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/**
 * True for an address of the public internet: not private, loopback, link-local, shared (CGNAT), multicast, unspecified,
 * reserved, for documentation or benchmarks, and not an IPv6 form of an IPv4 address (mapped, NAT64, 6to4, Teredo), which
 * would bypass this check. After the IANA special-purpose address registries.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !NOT_PUBLIC_V4.check(address, 'ipv4')
  return family === 6 && GLOBAL_UNICAST.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6')
}

/**
 * A `lookup` for sockets that returns public addresses only. It runs when the connection is made, so a name cannot resolve
 * to another address between check and use (DNS rebinding).
 */
export function publicLookup(resolve: Resolve = resolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const open = addresses.filter(({ address }) => isPublicAddress(address))
      const [first] = open
      if (first === undefined) return callback(privateAddress(hostname, addresses), [])
      if (options.all) return callback(null, open)
      callback(null, first.address, first.family)
    })
  }
}

/** Throws `PrivateAddress` if the host of a URL is a literal private address: Node calls no `lookup` for those. */
export function assertPublicHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(messageFor(host, host))
}

function privateAddress(hostname: string, addresses: readonly LookupAddress[]): PrivateAddress {
  return new PrivateAddress(messageFor(hostname, addresses.map(({ address }) => address).join(', ')))
}

function messageFor(host: string, addresses: string): string {
  return `Cannot connect to ${host}: the address must be public: got "${addresses}"`
}

const NOT_PUBLIC_V4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])

/** The allocated part of IPv6; loopback, unique local, link-local, mapped, NAT64 and multicast are outside. */
const GLOBAL_UNICAST = blockList('ipv6', [['2000::', 3]])

const NOT_PUBLIC_V6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
