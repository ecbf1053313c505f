import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** The file system in memory of Linux. */
const MEMORY = '/dev/shm'

/** Far more than the 220 MB that `npm test` takes at most. */
const FREE_BYTES_MIN = 2 ** 32

/**
 * A new folder in memory, where `npm test` takes an eighth less time than on a disk, and the store's suite on PostgreSQL a third. Undefined
 * where there is none, or it is too small or may not run programs.
 */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < FREE_BYTES_MIN || !mayRunPrograms()) return undefined
    const folder = mkdtempSync(join(MEMORY, 'slots-tests-'))
    // For PostgreSQL, which refuses to run as root.
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}

function mayRunPrograms(): boolean {
  const lines = readFileSync('/proc/mounts', 'utf8').split('\n')
  const mounts = lines.map((line) => line.split(' ')).filter(([, place]) => place === MEMORY)
  return mounts.length > 0 && !mounts.some(([, , , options]) => options.split(',').includes('noexec'))
}
