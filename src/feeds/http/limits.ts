/** How much time and space a publisher may take for one file. */
export interface WebLimits {
  /** Until a connection stands, name and TLS included. */
  readonly connectMs: number
  /** Between two pieces of an answer. */
  readonly idleMs: number
  /** For all pieces of an answer together, without the time that we take between them. */
  readonly wholeMs: number
  /** As it comes over the wire. */
  readonly wireBytesMax: number
  /** After decompression. */
  readonly bodyBytesMax: number
  readonly redirectsMax: number
}

/**
 * Generous to a slow honest publisher: a file of 4,000,000 slots is about 2 GiB, and 64 kB/s may take ten minutes for
 * 40 MB compressed. What exceeds them would otherwise hold a sync for ever.
 */
export const WEB_LIMITS: WebLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  wholeMs: 600_000,
  wireBytesMax: 2 ** 31,
  bodyBytesMax: 2 ** 32,
  redirectsMax: 5,
}
