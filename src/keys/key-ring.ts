// Hot path

import type { ApiKey } from './key.ts'
import { hashKey, hasKeyForm } from './key-form.ts'
import { inactiveFromMs } from './key-state.ts'
import type { KeyUsageCounter, MeteredKey } from './usage-meter.ts'

/**
 * A key that authenticates requests. Each key has one object for its lifetime, so a connection may keep it and call `isActive()`
 * instead of looking it up again: revocation affects the kept object too.
 */
export interface ActiveKey extends MeteredKey {
  readonly id: string
  readonly organizationId: string
  /** False once revoked or expired. */
  isActive(nowMs: number): boolean
}

/**
 * All keys in memory, by hash.
 *
 * `find()` costs one SHA-256 and one lookup for a well-formed key, else neither. The lookup does not leak timing: callers cannot choose
 * the digest that is compared.
 */
export class KeyRing {
  readonly #byHash = new Map<string, RingKey>()
  /** Hashes of revoked keys: an older message that arrives late must not restore a key. */
  readonly #revoked = new Set<string>()

  /** The number of keys that are not revoked, including expired ones. */
  get size(): number {
    return this.#byHash.size
  }

  /** Applies the current state of keys. Revocation is final; applying the same keys again changes nothing. */
  apply(keys: readonly ApiKey[]): void {
    for (const key of keys) {
      if (key.revokedAtMs !== undefined) this.#revoke(key)
      else if (!this.#revoked.has(key.hash)) this.#put(key)
    }
  }

  /** Applies the current state of all keys and removes those that the store no longer has. */
  replace(keys: readonly ApiKey[]): void {
    const known = new Set(keys.map((key) => key.hash))
    for (const [hash, ringKey] of this.#byHash) {
      if (known.has(hash)) continue
      this.#byHash.delete(hash)
      ringKey.inactiveFromMs = Number.NEGATIVE_INFINITY
    }
    this.apply(keys)
  }

  /** Undefined for a key that is malformed, unknown, expired or revoked. */
  find(presentedKey: string, nowMs: number): ActiveKey | undefined {
    if (!hasKeyForm(presentedKey)) return undefined
    const key = this.#byHash.get(hashKey(presentedKey))
    return key?.isActive(nowMs) ? key : undefined
  }

  #put(key: ApiKey): void {
    let ringKey = this.#byHash.get(key.hash)
    if (ringKey === undefined) {
      ringKey = new RingKey(key)
      this.#byHash.set(key.hash, ringKey)
    }
    ringKey.inactiveFromMs = inactiveFromMs(key)
  }

  #revoke(key: ApiKey): void {
    this.#revoked.add(key.hash)
    const ringKey = this.#byHash.get(key.hash)
    if (ringKey === undefined) return
    this.#byHash.delete(key.hash)
    ringKey.inactiveFromMs = Number.NEGATIVE_INFINITY
  }
}

class RingKey implements ActiveKey {
  readonly id: string
  readonly organizationId: string
  usage: KeyUsageCounter | undefined = undefined
  /** See `inactiveFromMs()`: one comparison per request. */
  inactiveFromMs: number

  constructor(key: ApiKey) {
    this.id = key.id
    this.organizationId = key.organizationId
    this.inactiveFromMs = inactiveFromMs(key)
  }

  isActive(nowMs: number): boolean {
    return nowMs < this.inactiveFromMs
  }
}
