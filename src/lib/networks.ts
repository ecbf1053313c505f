import { BlockList, isIP } from 'node:net'
import { ipv6Groups, unmappedAddress } from './network-address.ts'

/** The networks from which requests with a key are accepted. One list per family: `::/0` would contain IPv4 addresses. */
export class Networks {
  readonly #ipv4 = new BlockList()
  readonly #ipv6 = new BlockList()

  /** `networks`: as `parseNetwork()` returns them. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address, bits] = network.split('/')
      if (isIP(address) === 6) this.#ipv6.addSubnet(address, Number(bits ?? 128), 'ipv6')
      else this.#ipv4.addSubnet(address, Number(bits ?? 32), 'ipv4')
    }
  }

  /** `address`: as `callerAddress()` returns it. A fraction of a microsecond. False for a text that is not an address. */
  has(address: string): boolean {
    const [plain] = address.split('%')
    const version = isIP(plain)
    return version === 6 ? this.#ipv6.check(plain, 'ipv6') : version === 4 && this.#ipv4.check(plain, 'ipv4')
  }
}

/**
 * The canonical form of an address or a network in CIDR notation (RFC 4632; RFC 4291, 2.3): `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`.
 * Throws a `RangeError` with the reason.
 */
export function parseNetwork(text: string): string {
  const [, given = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? []
  const address = unmappedAddress(given)
  const version = isIP(address)
  const width = version === 6 ? 128 : 32
  const bits = Number(prefix ?? width)
  const isMapped = version === 6 && MAPPED.test(canonicalIpv6(address))
  if (version === 0 || bits > width || isMapped || (address !== given && prefix !== undefined)) {
    const examples = '203.0.113.7, 10.0.0.0/8 or 2001:db8::/32'
    throw new RangeError(
      `Each network must be an address or a CIDR range, such as ${examples}: got "${text.slice(0, 60)}".`,
    )
  }
  const plain = masked(address, width)
  if (bits === width) return plain
  const first = masked(address, bits)
  if (first === plain) return `${plain}/${bits}`
  throw new RangeError(
    `${plain}/${bits} is not the start of a network: write ${first}/${bits}, or ${plain} for one address.`,
  )
}

/** An IPv4-mapped address (RFC 4291, 2.5.5.2): callers with an IPv4 address are compared with IPv4 networks only. */
const MAPPED = /^::ffff:[\da-f]+:[\da-f]+$/

/** The address with all but its first bits zero, in canonical form (RFC 5952). */
function masked(address: string, bits: number): string {
  const isIpv6 = isIP(address) === 6
  const groups = isIpv6
    ? ipv6Groups(canonicalIpv6(address)).map((group) => Number.parseInt(group, 16))
    : address.split('.').map(Number)
  const width = isIpv6 ? 16 : 8
  const kept = groups.map((group, at) => {
    const dropped = width - Math.min(width, Math.max(0, bits - at * width))
    return (group >> dropped) << dropped
  })
  return isIpv6 ? canonicalIpv6(kept.map((group) => group.toString(16)).join(':')) : kept.join('.')
}

/** As the URL Standard writes hosts: RFC 5952, without dotted decimals. */
function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
