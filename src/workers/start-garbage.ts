import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects what starting the calling thread left behind; takes about 20 ms. V8 begins to reduce an idle heap only after a full
 * collection, which a node without requests does not reach for hours: an empty node keeps 25 of 160 MB until then.
 *
 * Not by the inspector: sessions of several threads at once block each other forever (Node 24.21).
 */
export function collectStartGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** The same when the calling thread has loaded its code. */
export function collectStartGarbageSoon(): void {
  setTimeout(collectStartGarbage, LOADED_MS).unref()
}

const LOADED_MS = 1000
