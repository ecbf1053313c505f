import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * True if a column has the text anywhere. Case is ignored as `lower()` of the database does, which may be that of ASCII letters only: others
 * match in the case in which they are stored, or if they are stored in lower case.
 */
export function containsText(columns: readonly string[], search: string): Expression<SqlBool> {
  const texts = columns.map((column) => sql`lower(${sql.ref(column)})`)
  const conditions = texts.flatMap((text) => [
    sql`${text} like lower(${literalPattern(search)}) ${ESCAPE}`,
    sql`${text} like ${likePattern(search.toLowerCase())}`,
  ])
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** The right side of `like` that finds a text anywhere, whatever characters it has. */
export function likePattern(text: string): Expression<string> {
  return sql<string>`${literalPattern(text)} ${ESCAPE}`
}

function literalPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}

const ESCAPE = sql`escape '\\'`
