// Hot path
import type { SlotQuery } from '../slot/slot-query.ts'
import { STATUS_NUMBER } from './index-content.ts'
import type { OrderedMatches } from './matching/slot-matches.ts'
import { byteBlock } from './runs/byte-block.ts'
import type { PageWriter } from './runs/page-writer.ts'
import type { Run } from './runs/run.ts'

/** Allocates memory for a page: at least `bytes` long, owned by the page. */
export type Allocate = (bytes: number) => Buffer

/** The matches that make a page. */
export interface PageBounds {
  readonly query: Pick<SlotQuery, 'status'>
  readonly matches: OrderedMatches
  readonly from: number
  /** At most 100. */
  readonly count: number
}

const ROWS_MAX = 100
const COMMA = 0x2c
const HEAD = Buffer.from('{"slots":[')

/** The rows of the page that is being written. */
const rows = new Uint16Array(ROWS_MAX)

/**
 * Writes `{"slots":[…],"total":n}` as UTF-8; `last` is the last row, if there is any.
 *
 * The memory of a page's rows is scattered, so its cost is cache misses. Before the page is written, one loop prefetches the texts of
 * the rows and the places of their offerings, and another the texts of the offerings: the misses of a loop do not depend on each other,
 * so they overlap.
 */
export function writePage(
  writers: readonly PageWriter[],
  { query, matches, from, count }: PageBounds,
  allocate: Allocate,
): { body: Buffer; last: { run: Run; row: number } | undefined } {
  const writer = writers[STATUS_NUMBER[query.status]]
  const tail = `],"total":${matches.count}}`
  let bytes = HEAD.length + tail.length
  const reader = matches.read(from, count)
  const runs = new Array<Run>(count)
  for (let n = 0; n < count && reader.next(); n++) {
    runs[n] = reader.run
    rows[n] = reader.row
  }
  for (let n = 0; n < count; n++) writer.prefetchOwn(runs[n], rows[n])
  for (let n = 0; n < count; n++) bytes += writer.sizeOf(runs[n], rows[n]) + 1
  for (let n = 0; n < count; n++) writer.prefetchShared(runs[n], rows[n])
  const page = allocate(bytes)
  const block = byteBlock(page)
  let end = HEAD.copy(page, 0)
  for (let n = 0; n < count; n++) {
    if (n > 0) page[end++] = COMMA
    end = writer.write(runs[n], rows[n], block, end)
  }
  end += page.write(tail, end, 'latin1')
  const last = count === 0 ? undefined : { run: runs[count - 1], row: rows[count - 1] }
  return { body: page.subarray(0, end), last }
}
