import type { FairCaller } from '../../fair-queue.ts'
import type { ExportCaller, ExportPump } from '../export-slots/export-pump.ts'

/** The path of the feed for callers with a key. */
export const FEED_PATH = '/v1/fhir/'
/** The path of the same feed for everybody. */
export const OPEN_FEED_PATH = '/fhir/'

/** The feed as one kind of reader sees it. */
export interface FeedAccess {
  readonly path: typeof FEED_PATH | typeof OPEN_FEED_PATH
  /** Sends its files. */
  readonly exports: ExportPump
  readonly cacheability: 'public' | 'private'
}

/** Who reads files. */
export interface FeedReader extends ExportCaller {
  /** With whom the thread's time is shared. */
  readonly caller: FairCaller
}

/** The access of callers with a key. */
export function keyedAccess(exports: ExportPump): FeedAccess {
  return { path: FEED_PATH, exports, cacheability: 'private' }
}
