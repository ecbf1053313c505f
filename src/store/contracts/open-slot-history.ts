/** Open slots of a source by state; the empty string is the total. */
export type OpenCounts = ReadonlyMap<string, number>

/** Resolution of the history: 14 days of hours, 400 days of days. */
export type HistorySpan = 'hours' | 'days'

/** How many points of each resolution are stored. */
export const HISTORY_POINTS: Readonly<Record<HistorySpan, number>> = { hours: 14 * 24, days: 400 }

/** Open slots of a source at equal intervals, oldest first; null where no count was taken. */
export interface OpenSlotSeries {
  readonly fromMs: number
  readonly stepMs: number
  /** By state, all of equal length; the empty string is the total. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>
}

/** Open slots over time. About 30 rows per source, each a few numbers per state. */
export interface OpenSlotHistory {
  /** Those of the sources that have no count of the hour of this time. */
  uncounted(atMs: number, slugs: readonly string[]): Promise<string[]>
  /**
   * Stores the counts of this hour by slug, replacing earlier counts of it; other sources keep theirs. Deletes points beyond
   * retention.
   */
  put(atMs: number, counts: ReadonlyMap<string, OpenCounts>): Promise<void>
  /** The points up to the one of this time. */
  read(sourceId: number, span: HistorySpan, nowMs: number): Promise<OpenSlotSeries>
}
