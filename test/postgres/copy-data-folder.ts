import { chown, copyFile, lchown, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that a copy must not have: those that PostgreSQL's own backups leave out, and those of the running process. */
const LEFT_OUT = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'standby.signal',
  'backup_label',
  'postgresql.auto.conf',
])

/** Folders that are copied empty. */
const EMPTY = new Set([
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

/** Copies the folder of a running server between `pg_backup_start` and `pg_backup_stop`: files may be created, extended and deleted meanwhile. */
export async function copyDataFolder(from: string, to: string, owner: number | undefined): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  if (owner !== undefined) await chown(to, owner, owner)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name) || entry.name.startsWith('pgsql_tmp')) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && !EMPTY.has(entry.name)) await copyDataFolder(source, target, owner)
    else await copyEntry(source, target, entry).catch(unlessGone)
    if (owner !== undefined) await lchown(target, owner, owner).catch(unlessGone)
  }
}

function copyEntry(
  source: string,
  target: string,
  entry: { isDirectory(): boolean; isSymbolicLink(): boolean },
): Promise<unknown> {
  if (entry.isDirectory()) return mkdir(target, { mode: 0o700 })
  if (entry.isSymbolicLink()) return readlink(source).then((place) => symlink(place, target))
  return copyFile(source, target)
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
