import { collectGarbage } from '../lib/collect-garbage.ts'

/**
 * Collects what starting the calling thread leaves behind, when it has loaded its code. V8 begins to reduce an idle heap only after a
 * full collection, which a node without requests does not reach for hours: an empty node keeps 25 of 160 MB until then.
 */
export function collectStartGarbageSoon(): void {
  setTimeout(collectGarbage, LOADED_MS).unref()
}

const LOADED_MS = 1000
