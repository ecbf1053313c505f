export const SQLITE_BUSY = 5
export const SQLITE_CORRUPT = 11
export const SQLITE_NOTADB = 26

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: the disk cannot be used. */
const DISK_ERRORS: readonly (number | undefined)[] = [8, 10, 13, 14]

/** The result code of an error of SQLite; undefined for others. Extended codes differ in the higher bits. */
export function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}

/** Whether SQLite cannot use its disk. */
export function isDiskError(error: unknown): boolean {
  return DISK_ERRORS.includes(resultCodeOf(error))
}
