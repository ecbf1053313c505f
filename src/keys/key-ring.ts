// Hot path: requests are let in here.

import { hashKey } from './hash-key.ts'
import type { ApiKey } from './key.ts'
import { hasKeyForm } from './key-form.ts'
import type { KeyUsage } from './key-usage.ts'
import type { MeteredKey } from './usage-meter.ts'

/**
 * A key as a request meets it. There is one object for one key for as long as the key lives, so a connection may
 * remember it and ask `isLive` instead of looking it up again: revocation ends the remembered object too.
 */
export interface LiveKey extends MeteredKey {
  readonly id: string
  readonly organizationId: string
  /** False once revoked, and from the moment of expiry on. */
  isLive(nowMs: number): boolean
}

/**
 * Every key that may be let in, in memory.
 *
 * `find` costs one SHA-256 and one look-up, and only the first once a text has the form of a key. Looking up by hash
 * in a plain map is safe from timing: what is compared is a digest that nobody can steer towards another.
 */
export class KeyRing {
  readonly #byHash = new Map<string, RingKey>()
  /** Hashes of the revoked: an older word that arrives later, by another way, must not bring a key back. */
  readonly #ended = new Set<string>()

  /** How many keys could be let in, the expired among them. */
  get size(): number {
    return this.#byHash.size
  }

  /** Takes over keys as they now are; a revocation is final. Applying the same again changes nothing. */
  apply(keys: readonly ApiKey[]): void {
    for (const key of keys) {
      if (key.revokedAtMs !== undefined) this.#end(key)
      else if (!this.#ended.has(key.hash)) this.#put(key)
    }
  }

  /** Takes over keys as they now are, and ends all others: the store no longer knows them. */
  replace(keys: readonly ApiKey[]): void {
    const known = new Set(keys.map((key) => key.hash))
    for (const [hash, held] of this.#byHash) {
      if (known.has(hash)) continue
      this.#byHash.delete(hash)
      held.refusedFromMs = Number.NEGATIVE_INFINITY
    }
    this.apply(keys)
  }

  /** The key that was presented, or undefined if it is malformed, unknown, expired or revoked. */
  find(presentedKey: string, nowMs: number): LiveKey | undefined {
    if (!hasKeyForm(presentedKey)) return undefined
    const key = this.#byHash.get(hashKey(presentedKey))
    return key?.isLive(nowMs) ? key : undefined
  }

  #put(key: ApiKey): void {
    let held = this.#byHash.get(key.hash)
    if (held === undefined) {
      held = new RingKey(key)
      this.#byHash.set(key.hash, held)
    }
    held.refusedFromMs = key.expiresAtMs ?? Number.POSITIVE_INFINITY
  }

  #end(key: ApiKey): void {
    this.#ended.add(key.hash)
    const held = this.#byHash.get(key.hash)
    if (held === undefined) return
    this.#byHash.delete(key.hash)
    held.refusedFromMs = Number.NEGATIVE_INFINITY
  }
}

class RingKey implements LiveKey {
  readonly id: string
  readonly organizationId: string
  usage: KeyUsage | undefined = undefined
  /** Expiry, or for a revoked key -Infinity: one comparison decides. */
  refusedFromMs = Number.POSITIVE_INFINITY

  constructor(key: ApiKey) {
    this.id = key.id
    this.organizationId = key.organizationId
  }

  isLive(nowMs: number): boolean {
    return nowMs < this.refusedFromMs
  }
}
