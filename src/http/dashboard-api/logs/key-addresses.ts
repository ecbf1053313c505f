import { DAY_MS } from '../../../lib/time.ts'

/** For how long the network addresses of a key are kept and shown. */
export const ADDRESSES_SHOWN_MS = 30 * DAY_MS
