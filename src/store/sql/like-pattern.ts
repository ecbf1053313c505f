import { type Expression, sql } from 'kysely'

/** The right side of `like` that finds a text anywhere, whatever characters it has. */
export function likePattern(text: string): Expression<string> {
  const literal = text.replace(/[\\%_]/g, (character) => `\\${character}`)
  return sql<string>`${`%${literal}%`} escape '\\'`
}
