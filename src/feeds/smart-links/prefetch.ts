import type { FileResponse } from '../http/publisher-client.ts'

/** So many answers of one publisher are open at once, the one that is read included. */
export const OPEN_RESPONSES_MAX = 4

/** Whoever sends a file may give up on a reader that is silent for longer. */
const OPEN_MS_MAX = 10_000

/**
 * Asks for several files at once and hands over their answers in the order of the files, so that which of two equal slots
 * stands does not depend on which file came first. Answers that wait for their turn hold what fits into their sockets.
 *
 * One that had to wait long is asked for anew, and from then on none is asked ahead: where a file takes so long, to ask is
 * not what takes the time.
 */
export async function* prefetch<T>(
  files: readonly T[],
  ask: (file: T) => Promise<FileResponse>,
  now: () => number = () => performance.now(),
): AsyncGenerator<readonly [file: T, response: FileResponse]> {
  const open: Promise<Opened>[] = []
  let ahead = OPEN_RESPONSES_MAX
  let next = 0
  const askNext = () => {
    const asked = ask(files[next++]).then((response) => ({ response, sinceMs: now() }))
    // It is heard of in its turn.
    asked.catch(() => {})
    open.push(asked)
  }
  try {
    for (const file of files) {
      while (next < files.length && open.length < ahead) askNext()
      // The front of the row is this file's.
      const { response, sinceMs } = await open[0]
      open.shift()
      const isStale = !response.notModified && now() - sinceMs > OPEN_MS_MAX
      if (isStale) {
        response.discard()
        ahead = 1
      }
      yield [file, isStale ? await ask(file) : response]
    }
  } finally {
    for (const asked of open) asked.then(({ response }) => response.discard()).catch(() => {})
  }
}

interface Opened {
  readonly response: FileResponse
  readonly sinceMs: number
}
