// Hot path
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Networks } from '../lib/networks.ts'
import { type ApiKey, inactiveFromMs, type OrganizationState } from './key.ts'
import type { KeyUsageCounter, MeteredKey } from './usage-meter.ts'

/**
 * A key that authenticates requests. Each key has one object for its lifetime, so a connection may keep it and call `isActive()`
 * instead of looking it up again: revocation affects the kept object too.
 */
export interface ActiveKey extends MeteredKey {
  readonly id: string
  readonly organizationId: string
  /** True while its organization is suspended. */
  readonly isSuspended: boolean
  /** Undefined: requests are accepted from all. */
  readonly networks: Networks | undefined
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

  /** Applies the state of keys as of their revisions. An older state than the known one is ignored, and revocation is final. */
  apply(keys: readonly ApiKey[]): void {
    for (const key of keys) {
      if (key.revokedAtMs !== undefined) this.#revoke(key)
      else if (!this.#revoked.has(key.hash)) this.#put(key)
    }
  }

  /** Applies the state of all keys, whatever their revisions were, and removes those that the store no longer has. */
  replace(keys: readonly ApiKey[]): void {
    const known = new Set(keys.map((key) => key.hash))
    for (const [hash, ringKey] of this.#byHash) {
      ringKey.organizationState = ACTIVE
      // A promoted standby may have lost commits, and then has lower revisions.
      ringKey.revision = 0
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
    } else if ((key.revision ?? 0) >= ringKey.revision) ringKey.update(key)
    const state = key.organizationState
    if (state !== undefined && state.revision >= ringKey.organizationState.revision) ringKey.organizationState = state
  }

  #revoke(key: ApiKey): void {
    this.#revoked.add(key.hash)
    const ringKey = this.#byHash.get(key.hash)
    if (ringKey === undefined) return
    this.#byHash.delete(key.hash)
    ringKey.inactiveFromMs = Number.NEGATIVE_INFINITY
  }
}

/** An organization that was never suspended. */
const ACTIVE: OrganizationState = { revision: 0, suspended: false }

class RingKey implements ActiveKey {
  readonly id: string
  readonly organizationId: string
  usage: KeyUsageCounter | undefined = undefined
  networks: Networks | undefined = undefined
  /** See `inactiveFromMs()`: one comparison per request. */
  inactiveFromMs = Number.NEGATIVE_INFINITY
  organizationState = ACTIVE
  /** Of the state that was applied last. */
  revision = 0

  constructor(key: ApiKey) {
    this.id = key.id
    this.organizationId = key.organizationId
    this.update(key)
  }

  update(key: ApiKey): void {
    this.networks = key.networks && new Networks(key.networks)
    this.inactiveFromMs = inactiveFromMs(key)
    this.revision = key.revision ?? 0
  }

  get isSuspended(): boolean {
    return this.organizationState.suspended
  }

  isActive(nowMs: number): boolean {
    return nowMs < this.inactiveFromMs
  }
}

/** In ASCII order, so texts of equal width sort like their values. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The prefix of every key, so that scanners find leaked keys. */
export const KEY_PREFIX = 'svc_sk_'

/** 62^43 is just above 2^256, and 62^6 above 2^32. */
export const SECRET_LENGTH = 43
export const CHECKSUM_LENGTH = 6
const BODY_LENGTH = KEY_PREFIX.length + SECRET_LENGTH
const KEY_LENGTH = BODY_LENGTH + CHECKSUM_LENGTH

/**
 * True if a text has the length, prefix, alphabet and checksum of a key. At most 0.2 microseconds for a text of any length.
 */
export function hasKeyForm(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(KEY_PREFIX)) return false
  for (let at = KEY_PREFIX.length; at < BODY_LENGTH; at++) {
    if (!(DIGIT_OF[text.charCodeAt(at)] < 62)) return false
  }
  let checksum = 0
  for (let at = BODY_LENGTH; at < KEY_LENGTH; at++) checksum = checksum * 62 + DIGIT_OF[text.charCodeAt(at)]
  return checksum === crc32(text.slice(0, BODY_LENGTH))
}

/**
 * SHA-256 of the whole key, 64 hexadecimal digits: all that is stored of the secret. No salt or stretching is needed: the secret has 256
 * random bits, so it cannot be guessed (ASVS 5.0, 6.5.2), and every request computes the hash.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** By character code; NaN for other characters, which makes every comparison false. */
const DIGIT_OF = new Float64Array(128).fill(Number.NaN)
for (let digit = 0; digit < 62; digit++) DIGIT_OF[BASE62.charCodeAt(digit)] = digit
