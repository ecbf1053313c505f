/** An API key as it is held at rest: everything but the secret, of which only the hash is kept. */
export interface ApiKey {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  /** SHA-256 of the whole key, 64 hexadecimal digits. */
  readonly hash: string
  /** The key's last 4 characters, for display. */
  readonly lastFour: string
  readonly createdAtMs: number
  /** Who made it, as a list is to show it: an e-mail address, or `command line`. */
  readonly createdBy?: string
  /** The key that took its place. */
  readonly replacedBy?: string
  readonly expiresAtMs?: number
  readonly revokedAtMs?: number
  readonly revokedReason?: string
  /** As of the last drain of the usage meter: a second or two old. */
  readonly lastUsedAtMs?: number
}
