import type { Answer } from '../http/publisher-client.ts'

/** So many answers of one publisher are open at once, the one that is read included. */
export const ANSWERS_OPEN_MAX = 4

/** Whoever sends a file may give up on a reader that is silent for longer. */
const OPEN_MS_MAX = 10_000

/**
 * Asks for several files at once and hands over their answers in the order of the files, so that which of two equal slots
 * stands does not depend on which file came first. Answers that wait for their turn hold what fits into their sockets.
 *
 * One that had to wait long is asked for anew, and from then on none is asked ahead: where a file takes so long, to ask is
 * not what takes the time.
 */
export async function* askAhead<T>(
  files: readonly T[],
  ask: (file: T) => Promise<Answer>,
  now: () => number = () => performance.now(),
): AsyncGenerator<readonly [file: T, answer: Answer]> {
  const open: Promise<Opened>[] = []
  let ahead = ANSWERS_OPEN_MAX
  let next = 0
  const askNext = () => {
    const asked = ask(files[next++]).then((answer) => ({ answer, sinceMs: now() }))
    // It is heard of in its turn.
    asked.catch(() => {})
    open.push(asked)
  }
  try {
    for (const file of files) {
      while (next < files.length && open.length < ahead) askNext()
      // The front of the row is this file's.
      const { answer, sinceMs } = await open[0]
      open.shift()
      const isStale = !answer.notModified && now() - sinceMs > OPEN_MS_MAX
      if (isStale) {
        answer.discard()
        ahead = 1
      }
      yield [file, isStale ? await ask(file) : answer]
    }
  } finally {
    for (const asked of open) asked.then(({ answer }) => answer.discard()).catch(() => {})
  }
}

interface Opened {
  readonly answer: Answer
  readonly sinceMs: number
}
