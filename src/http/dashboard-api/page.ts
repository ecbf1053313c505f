import { defined } from '../../lib/optional.ts'
import type { ListPosition, PageRequest } from '../../store/contracts/page.ts'

/** Rows on a page by default. An organization's active keys fit on one. */
const PAGE_ROWS = 100

/** The parameters of `PAGE`. */
interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: ListPosition | undefined
}

/** A page and, unless it is the last one, the cursor of the following page. */
interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly next: { readonly next?: string }
}

/** Reads a page and one row more, which tells whether another page follows. */
export async function readPage<Row>(
  { limit = PAGE_ROWS, cursor }: PageQuery,
  read: (page: PageRequest) => Promise<Row[]>,
  positionOf: (row: Row) => ListPosition,
): Promise<ListPage<Row>> {
  const found = await read({ limit: limit + 1, ...defined({ after: cursor }) })
  const rows = found.slice(0, limit)
  return { rows, next: found.length > limit ? { next: cursorAt(positionOf(rows[limit - 1])) } : {} }
}

function cursorAt({ rank, atMs, id }: ListPosition): string {
  return `${rank}.${atMs}.${id}`
}
