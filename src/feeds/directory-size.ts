import { truncate } from '../lib/text.ts'
import { FeedFailure } from './connector.ts'

/** About 400,000 resources of the usual size. */
const DIRECTORY_BYTES_MAX = 2 ** 28

/** Small resources take about 400 bytes each in memory, however short they are. */
const DIRECTORY_ENTRIES_MAX = 2_000_000

/** Bounds the resources other than Slots of one publication, which are kept in memory. */
export class DirectorySize {
  #bytes = 0
  #entries = 0

  /** Counts a resource of so many bytes. Throws `FeedFailure` if there are too many. */
  add(bytes: number, file: string): void {
    this.#bytes += bytes
    this.#entries++
    if (this.#bytes > DIRECTORY_BYTES_MAX) throw tooLarge(file, `${DIRECTORY_BYTES_MAX} bytes`)
    if (this.#entries > DIRECTORY_ENTRIES_MAX) throw tooLarge(file, `${DIRECTORY_ENTRIES_MAX} resources`)
  }
}

function tooLarge(file: string, bound: string): FeedFailure {
  return new FeedFailure(
    `Cannot read ${truncate(file, 300)}: resources other than Slots must be at most ${bound} in total. Remove those that no Slot needs, or split the feed`,
  )
}
