import { setPriority } from 'node:os'

/**
 * Lowers the calling thread's priority: answers come before it. On Linux a priority is the calling thread's alone
 * (setpriority(2), "C library/kernel differences"); elsewhere it would be the whole process's, so there it stays as it is.
 * False where that is refused, as in some containers, which does no harm.
 */
export function giveWay(): boolean {
  if (process.platform !== 'linux') return true
  try {
    setPriority(0, 10)
    return true
  } catch {
    return false
  }
}
