import { hash } from 'node:crypto'
import { statSync } from 'node:fs'

/**
 * Tells a file from all its copies, in 48 bits: by its number in its file system and the time of its birth. So a back-up that is brought
 * back is not taken for the file that it was made of, though it says the same of itself.
 *
 * Nothing need be written for it, and nothing can be forgotten. Where neither number lasts (some network file systems), the file is
 * another one each time it is mounted. Unseen is what was overwritten in its place: see `renewStore()`.
 */
export function fileHistory(path: string): number {
  const { ino, birthtimeNs } = statSync(path, { bigint: true })
  return Number.parseInt(hash('sha256', `${ino}.${birthtimeNs}`).slice(0, 12), 16)
}
