import { isIPv6 } from 'node:net'

/** An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) as IPv4; others as they are. */
export function unmappedAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Groups addresses for limits: an IPv6 customer usually has a whole /64 network. */
export function addressBlock(address: string): string {
  const plain = unmappedAddress(address)
  if (!isIPv6(plain)) return plain
  const [left, right] = plain.toLowerCase().split('%')[0].split('::')
  const groups = left === '' ? [] : left.split(':')
  if (right !== undefined) {
    const after = right === '' ? [] : right.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Counts what each address block occupies. A block that occupies nothing takes no memory. */
export class BlockCounts {
  readonly #counts = new Map<string, number>()

  countOf(block: string): number {
    return this.#counts.get(block) ?? 0
  }

  add(block: string): void {
    this.#counts.set(block, this.countOf(block) + 1)
  }

  remove(block: string): void {
    const left = this.countOf(block) - 1
    if (left > 0) this.#counts.set(block, left)
    else this.#counts.delete(block)
  }
}
