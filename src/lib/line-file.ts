import { fstatSync, readSync } from 'node:fs'

const NEWLINE = 0x0a

/**
 * Whether a file of lines that is open for reading is empty or ends in a line break: false after a crash or a full disk that cut off the
 * last line. What is appended then begins with a line break.
 */
export function endsInLine(file: number): boolean {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)
}
