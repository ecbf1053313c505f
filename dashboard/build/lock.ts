import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A build takes about ten seconds, on a slow machine a minute; whoever waits longer had better say so. */
const WAIT_MAX_MS = 5 * 60_000

/**
 * Does something while no other process does: a folder is the lock, because making one either succeeds or fails.
 *
 * A lock whose process has died is taken over. Throws if it is still held after five minutes.
 */
export async function whileLocked<T>(folder: string, act: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MAX_MS
  while (!(await take(folder))) {
    if (Date.now() > deadline) {
      throw new Error(
        `Cannot build: the lock must become free: got "${folder}" still held. Remove it if stale.`,
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
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
    if (await isDead(folder)) await rm(folder, { recursive: true, force: true })
    return false
  }
  await writeFile(join(folder, 'pid'), String(process.pid))
  return true
}

/** False also in the moment between making the lock and signing it. */
async function isDead(folder: string): Promise<boolean> {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''))
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
