import type { CompiledQuery } from 'kysely'
import type { Reader } from '../sql/database.ts'

/**
 * Reads what may be millions of rows in pieces of at most `rowsMax`, by a cursor of the transaction that `reader` is in.
 *
 * The query runs once, however it is planned. Asked anew for each piece from the last key on, it is at the mercy of the
 * planner, who sorts all rows for every piece as long as nobody has counted them: 70 s for a first sync of a million.
 * While a piece is being used, the next is already on its way.
 */
export async function* readByCursor(
  reader: Pick<Reader, 'arrays'>,
  query: CompiledQuery,
  { name, rowsMax }: { name: string; rowsMax: number },
): AsyncGenerator<ReadonlyArray<readonly unknown[]>> {
  const run = (sql: string) => reader.arrays({ ...query, sql, parameters: [] })
  await reader.arrays({ ...query, sql: `declare ${name} no scroll cursor for ${query.sql}` })
  let next = run(`fetch ${rowsMax} from ${name}`)
  try {
    for (;;) {
      const rows = await next
      if (rows.length < rowsMax) {
        if (rows.length > 0) yield rows
        return
      }
      next = run(`fetch ${rowsMax} from ${name}`)
      // It is awaited in the next round; until then nobody else hears of its failure.
      next.catch(() => undefined)
      yield rows
    }
  } finally {
    await next.then(() => run(`close ${name}`)).catch(() => undefined)
  }
}
