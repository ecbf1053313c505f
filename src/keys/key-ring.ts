// Hot path: requests are let in here.

import { hashKey } from './hash-key.ts'
import type { ApiKey } from './key.ts'
import { hasKeyForm } from './key-form.ts'

/**
 * A key as a request meets it. There is one object for one key for as long as the key lives, so a connection may
 * remember it and ask `isLive` instead of looking it up again: revocation ends the remembered object too.
 */
export interface LiveKey {
  readonly id: string
  readonly organizationId: string
  /** Set to now by every request that is let in: a plain store, written out later by way of `KeyRing.drainUsed`. */
  lastUsedAtMs: number
  /** False once revoked, and from the moment of expiry on. */
  isLive(nowMs: number): boolean
}

/** How often at most the last use of one key is written. */
export const LAST_USED_EVERY_MS = 60_000

/**
 * Every key that may be let in, in memory.
 *
 *     apply ──▶ #byHash  hash → key   the live ones: what a request is looked up in
 *          └──▶ #byId    id → key     the same, and the revoked whose last use is still to be written
 *
 * `find` costs one SHA-256 and one look-up, and only the first once a text has the form of a key. Looking up by hash
 * in a plain map is safe from timing: what is compared is a digest that nobody can steer towards another.
 */
export class KeyRing {
  readonly #byHash = new Map<string, RingKey>()
  readonly #byId = new Map<string, RingKey>()

  /** How many keys could be let in, the expired among them. */
  get size(): number {
    return this.#byHash.size
  }

  /** Takes over keys as they now are, whatever they were before. Applying the same again changes nothing. */
  apply(keys: readonly ApiKey[]): void {
    for (const key of keys) {
      if (key.revokedAtMs === undefined) this.#put(key)
      else this.#end(key)
    }
  }

  /** The key that was presented, or undefined if it is malformed, unknown, expired or revoked. */
  find(presentedKey: string, nowMs: number): LiveKey | undefined {
    if (!hasKeyForm(presentedKey)) return undefined
    const key = this.#byHash.get(hashKey(presentedKey))
    return key?.isLive(nowMs) ? key : undefined
  }

  /**
   * The time of the last use, by key id, of each key used since it was last drained; a key drained less than a minute
   * ago waits for a later call. At the end of a process, `nowMs` of Infinity leaves none behind.
   */
  drainUsed(nowMs: number): Map<string, number> {
    const uses = new Map<string, number>()
    for (const key of this.#byId.values()) {
      if (key.lastUsedAtMs <= key.drainedUseMs || nowMs - key.drainedAtMs < LAST_USED_EVERY_MS) continue
      uses.set(key.id, key.lastUsedAtMs)
      key.drainedUseMs = key.lastUsedAtMs
      key.drainedAtMs = nowMs
      if (key.isRevoked) this.#byId.delete(key.id)
    }
    return uses
  }

  /** Makes uses that could not be written due again. A revoked key's last use is then lost. */
  giveBack(uses: ReadonlyMap<string, number>): void {
    for (const id of uses.keys()) {
      const key = this.#byId.get(id)
      if (key !== undefined) key.drainedUseMs = Number.NEGATIVE_INFINITY
    }
  }

  #put(key: ApiKey): void {
    let held = this.#byId.get(key.id)
    if (held === undefined) {
      held = new RingKey(key)
      this.#byId.set(key.id, held)
    }
    held.refusedFromMs = key.expiresAtMs ?? Number.POSITIVE_INFINITY
    this.#byHash.set(key.hash, held)
  }

  #end(key: ApiKey): void {
    this.#byHash.delete(key.hash)
    const held = this.#byId.get(key.id)
    if (held === undefined) return
    held.refusedFromMs = Number.NEGATIVE_INFINITY
    if (held.lastUsedAtMs <= held.drainedUseMs) this.#byId.delete(key.id)
  }
}

class RingKey implements LiveKey {
  readonly id: string
  readonly organizationId: string
  lastUsedAtMs: number
  /** Expiry, or for a revoked key -Infinity: one comparison decides. */
  refusedFromMs = Number.POSITIVE_INFINITY
  /** The use that was last drained, and when. */
  drainedUseMs: number
  drainedAtMs = Number.NEGATIVE_INFINITY

  constructor(key: ApiKey) {
    this.id = key.id
    this.organizationId = key.organizationId
    this.lastUsedAtMs = key.lastUsedAtMs ?? Number.NEGATIVE_INFINITY
    this.drainedUseMs = this.lastUsedAtMs
  }

  get isRevoked(): boolean {
    return this.refusedFromMs === Number.NEGATIVE_INFINITY
  }

  isLive(nowMs: number): boolean {
    return nowMs < this.refusedFromMs
  }
}
