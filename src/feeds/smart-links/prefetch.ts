import type { FileResponse } from '../http/publisher-client.ts'

/** Maximum number of open responses of one publisher, including the one being read. */
export const OPEN_RESPONSES_MAX = 4

/** A publisher may close a connection that stays unread for longer. */
const OPEN_MS_MAX = 10_000

/**
 * Prefetches files: requests up to four at once and yields their responses in the order of the files, so that which of two
 * equal slots is kept does not depend on response times. Waiting responses buffer what fits into their sockets.
 *
 * A response that waited too long is requested again, and prefetching stops: reading such files takes far longer than
 * requesting them.
 */
export async function* prefetch<T>(
  files: readonly T[],
  ask: (file: T) => Promise<FileResponse>,
  {
    now = () => performance.now(),
    abandon = (_, response) => void response.then((opened) => opened.discard()).catch(() => {}),
  }: PrefetchOptions<T> = {},
): AsyncGenerator<readonly [file: T, response: FileResponse]> {
  const open: Promise<Opened>[] = []
  const requested: T[] = []
  let ahead = OPEN_RESPONSES_MAX
  let next = 0
  const openNext = () => {
    requested.push(files[next])
    const opened = ask(files[next++]).then((response) => ({ response, sinceMs: now() }))
    // The error is thrown in the file's turn.
    opened.catch(() => {})
    open.push(opened)
  }
  try {
    for (const file of files) {
      while (next < files.length && open.length < ahead) openNext()
      // The first open response is this file's.
      const { response, sinceMs } = await open[0]
      open.shift()
      requested.shift()
      const isStale = !response.notModified && now() - sinceMs > OPEN_MS_MAX
      if (isStale) {
        response.discard()
        ahead = 1
      }
      yield [file, isStale ? await ask(file) : response]
    }
  } finally {
    for (const [at, file] of requested.entries())
      abandon(
        file,
        open[at].then(({ response }) => response),
      )
  }
}

interface PrefetchOptions<T> {
  readonly now?: () => number
  /** Takes the responses that were requested and are not read, after an early end; by default, they are discarded. */
  readonly abandon?: (file: T, response: Promise<FileResponse>) => void
}

interface Opened {
  readonly response: FileResponse
  readonly sinceMs: number
}
