import { lstatSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'slots-code-'

/**
 * The folder of compiled code of this user, made if there is none. It is kept for later services, so killed ones leave one folder at most.
 * Only this user may read and write it, because its files are executed. Undefined if there is no place for it: code is compiled then.
 */
export function codeFolder(parent = tmpdir()): string | undefined {
  try {
    const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX))
    const own = names.map((name) => join(parent, name)).find(isPrivate)
    return own ?? mkdtempSync(join(parent, PREFIX))
  } catch {
    return undefined
  }
}

/** Another user can neither make such a folder nor, in a temporary directory, replace it. */
function isPrivate(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
}
