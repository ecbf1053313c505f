import { MINUTE_MS } from '../../../lib/time.ts'

/** What one serving thread does for exports at once. */
export interface ExportLimits {
  readonly atOnceMax: number
  readonly atOncePerKeyMax: number
  /** A caller who took no piece (about 100 kB) for so long is cut off: what has gone meanwhile cannot be freed. */
  readonly stalledMsMax: number
  /** So is one who takes longer than this in all. */
  readonly wholeMsMax: number
}

export const EXPORT_LIMITS: ExportLimits = {
  atOnceMax: 24,
  // Our own reader of feeds asks for four files at once.
  atOncePerKeyMax: 6,
  stalledMsMax: 30_000,
  wholeMsMax: 30 * MINUTE_MS,
}
