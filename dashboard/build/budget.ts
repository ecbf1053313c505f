import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'

/** Budget of the dashboard's initial JavaScript, gzipped. */
export const INITIAL_BYTES_MAX = 250_000

/** Gzipped size of an entry and its static imports. */
export function initialBytes(folder: string, manifest: Manifest, entry: string): number {
  return [...filesOf(manifest, entry)]
    .map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0)
}

/** Throws if the size exceeds the budget. */
export function assertWithinBudget(bytes: number): void {
  if (bytes <= INITIAL_BYTES_MAX) return
  throw new Error(
    `The dashboard's initial JavaScript has ${bytes} bytes gzipped, more than the budget of ${INITIAL_BYTES_MAX}. ` +
      'Load code that only one page needs lazily.',
  )
}

function filesOf(manifest: Manifest, key: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, files)
  return files
}
