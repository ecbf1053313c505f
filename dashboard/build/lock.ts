import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../src/lib/text.ts'

/** A build takes ten seconds, or a minute on a slow machine. */
const WAIT_MAX_MS = 5 * 60_000

/**
 * Runs a function under a cross-process lock. The lock is a folder, because `mkdir` is atomic.
 *
 * Takes over the lock of a dead process. Throws if the lock is not free after five minutes.
 */
export async function whileLocked<T>(folder: string, act: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MAX_MS
  while (!(await take(folder))) {
    if (Date.now() > deadline) {
      throw new Error(
        `Another build still holds the lock ${folder} after five minutes. Remove the folder if no build is running.`,
      )
    }
    await sleep(100)
  }
  try {
    return await act()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function take(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    if (await isDead(folder)) await rm(folder, { recursive: true, force: true })
    return false
  }
  await writeFile(join(folder, 'pid'), String(process.pid))
  return true
}

/** False also between creating the lock and writing its pid. */
async function isDead(folder: string): Promise<boolean> {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''))
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
}
