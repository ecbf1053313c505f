import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'

/** What the dashboard may load before it shows anything, gzipped. */
export const INITIAL_BYTES_MAX = 250_000

/** The JavaScript that an entry loads at first: itself and what it imports statically, in gzipped bytes. */
export function initialBytes(folder: string, manifest: Manifest, entry: string): number {
  return [...filesOf(manifest, entry)]
    .map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0)
}

/** Throws if the bytes are more than the budget allows. */
export function assertWithinBudget(bytes: number): void {
  if (bytes <= INITIAL_BYTES_MAX) return
  throw new Error(
    `Cannot build: the dashboard's initial JavaScript must be at most ${INITIAL_BYTES_MAX} bytes gzipped: ` +
      `got "${bytes}". Load by page what only a page needs.`,
  )
}

function filesOf(manifest: Manifest, key: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, files)
  return files
}
