import { closeSync, existsSync, fchownSync, lchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './text.ts'

/**
 * Creates an empty file that only its owner can read. If root creates it, its owner is that of its folder: a service could not open
 * what an administrator left in its folder otherwise. Throws if it exists.
 */
export function createPrivateFile(path: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    giveToOwnerOf(dirname(path), (uid, gid) => fchownSync(file, uid, gid))
  } finally {
    closeSync(file)
  }
}

/** As `createPrivateFile()`, but does nothing if the file exists. */
export function ensurePrivateFile(path: string): void {
  try {
    createPrivateFile(path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** As `ensurePrivateFile()`, for a folder and those above it. Returns those that it created, the innermost first. */
export function ensurePrivateFolder(path: string): string[] {
  if (existsSync(path)) return []
  const created = ensurePrivateFolder(dirname(path))
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) === undefined) return created
  giveToOwnerOf(dirname(path), (uid, gid) => lchownSync(path, uid, gid))
  return [path, ...created]
}

function giveToOwnerOf(folder: string, give: (uid: number, gid: number) => void): void {
  if (process.geteuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(folder)
    give(uid, gid)
  } catch {
    // A file system without owners, or a root without the capability: the file is root's.
  }
}
