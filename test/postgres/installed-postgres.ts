import { globSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The folder above `bin` of the distribution's PostgreSQL, if there is one. It has client programs, which refuse a newer server; the
 * package of the embedded server has none.
 */
export function installedPostgres(): string | undefined {
  const newest = globSync('/usr/lib/postgresql/*/bin').sort().reverse()[0]
  return newest && dirname(newest)
}
