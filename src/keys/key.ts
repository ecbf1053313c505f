/** An API key as stored: without the secret, of which only the hash is stored. */
export interface ApiKey {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  /** SHA-256 of the whole key, 64 hexadecimal digits. */
  readonly hash: string
  /** The key's last 4 characters, for display. */
  readonly lastFour: string
  readonly createdAtMs: number
  /** An email address, or `command line`. */
  readonly createdBy?: string
  /** The id of the key that replaced it. */
  readonly replacedBy?: string
  readonly expiresAtMs?: number
  readonly revokedAtMs?: number
  readonly revokedReason?: string
  /** As of the last drain of the usage meter, a second or two ago. */
  readonly lastUsedAtMs?: number
}
