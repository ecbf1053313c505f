import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects the garbage of the calling thread, in some 20 ms with a small heap: shared memory is freed when the last thread has collected
 * what refers to it, which V8 does not hurry to do.
 *
 * Not by the inspector: sessions of several threads at once block each other forever (Node 24.21).
 */
export function collectGarbage(): void {
  openCollector()()
}

type Collector = (options?: { readonly type: 'minor' }) => void

/** Kept only by threads that call it often: it has a context of its own. */
let youngCollector: Collector | undefined

/** Collects what the calling thread allocated last, in less than a millisecond if little of it is in use. */
export function collectYoungGarbage(): void {
  youngCollector ??= openCollector()
  youngCollector({ type: 'minor' })
}

function openCollector(): Collector {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
