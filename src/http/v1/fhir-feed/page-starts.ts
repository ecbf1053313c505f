import type { Revision } from '../../../slot/revision.ts'
import { WeightedCache } from '../../../slot-index/weighted-cache.ts'
import type { ChangeLogReader } from '../../../store/contracts/change-log.ts'
import { skipPage } from './read-update.ts'
import type { UpdatePageRange } from './update-names.ts'

/** Where the pages of an update begin, as far as they were read. */
interface Starts {
  readonly known: Revision[]
  isComplete: boolean
  readonly weight: number
}

/** Of about 40,000 pages. */
const WEIGHT_MAX = 4 * 1024 * 1024

/** Where the pages of updates begin. What is not known, after a restart or on another node, is read from the change log again. */
export class PageStarts {
  readonly #starts = new WeightedCache<Starts>(WEIGHT_MAX)

  /** Undefined if the update has fewer pages. */
  async find(log: ChangeLogReader, range: UpdatePageRange): Promise<Revision | undefined> {
    for (;;) {
      const { known, isComplete } = this.#of(range)
      const start = known[range.page - 1]
      if (start !== undefined || isComplete) return start
      this.note({ ...range, page: known.length }, await skipPage(log, known[known.length - 1] ?? range.after))
    }
  }

  /** Notes where the page after a page begins; undefined if there is none. */
  note(range: UpdatePageRange, next: Revision | undefined): void {
    const starts = this.#of(range)
    if (starts.known.length !== range.page) return
    if (next === undefined) starts.isComplete = true
    else starts.known.push(next)
    this.#starts.add(nameOf(range), starts)
  }

  #of(range: UpdatePageRange): Starts {
    const known = [range.after]
    const first = {
      known,
      isComplete: false,
      get weight() {
        return 100 * known.length
      },
    }
    return this.#starts.find(nameOf(range)) ?? first
  }
}

function nameOf({ after: { store, revision }, until }: UpdatePageRange): string {
  return `${store} ${revision} ${until}`
}
