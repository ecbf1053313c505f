// Hot path

import { callerAddress } from '../lib/network-address.ts'
import type { MeteredRequest } from './request-ring.ts'
import { ADDRESSES_PER_KEY, type AddressUse } from './usage-batch.ts'

/** The network addresses that used a key since the last drain. Two comparisons per request while the caller stays the same. */
export class CallerAddresses {
  readonly #trustedProxies: number
  #peer: string | undefined
  #forwarded: string | readonly string[] | undefined
  #address: string | undefined
  #lastAtMs = 0
  /** The other addresses, and when each was last seen. */
  readonly #seen = new Map<string, number>()

  constructor(trustedProxies: number) {
    this.#trustedProxies = trustedProxies
  }

  /** The address of a request; undefined if it is unknown. */
  note({ headers, socket }: MeteredRequest['request'], atMs: number): string | undefined {
    const peer = socket?.remoteAddress
    const forwarded = this.#trustedProxies === 0 ? undefined : headers?.['x-forwarded-for']
    if (peer !== this.#peer || forwarded !== this.#forwarded) {
      this.#keep()
      this.#peer = peer
      this.#forwarded = forwarded
      this.#address = peer === undefined ? undefined : callerAddress(peer, forwarded, this.#trustedProxies)
    }
    this.#lastAtMs = atMs
    return this.#address
  }

  drainInto(uses: AddressUse[], keyId: string): void {
    this.#keep()
    for (const [address, atMs] of this.#seen) uses.push({ keyId, address, atMs })
    this.#seen.clear()
    this.#peer = undefined
    this.#forwarded = undefined
    this.#address = undefined
  }

  /** Deleting first moves an address to the end of the map, so the first is the least recently seen. */
  #keep(): void {
    if (this.#address === undefined) return
    this.#seen.delete(this.#address)
    this.#seen.set(this.#address, this.#lastAtMs)
    if (this.#seen.size <= ADDRESSES_PER_KEY) return
    const [oldest] = this.#seen.keys()
    this.#seen.delete(oldest)
  }
}
