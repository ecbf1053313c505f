import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'

/** The maximum of a page's scripts: files, and bytes gzipped. */
interface Budget {
  readonly files: number
  readonly bytes: number
}

/** Until the frame of the first page appears: the entry. */
const FRAME: Budget = { files: 4, bytes: 120_000 }
/** Until the list of keys appears. */
const KEYS: Budget = { files: 8, bytes: 240_000 }
/** Until any other page appears. The scheme of colors, the toasts and a dialog come in three more files: twelve in all. */
const PAGE: Budget = { files: 10, bytes: 286_000 }

/**
 * Throws unless each page of the dashboard is within its budget, with the entry, the layout and all that they import. Returns the
 * bytes until the first frame.
 */
export function assertWithinBudget(folder: string, manifest: Manifest): number {
  const pages = Object.keys(manifest).filter((source) => /^src\/pages\/.+Page\.tsx$/.test(source))
  const layout = Object.keys(manifest).filter((source) => /^_parts-.+\.js$/.test(source))
  for (const page of pages)
    assertFits(page, sizeOf(folder, manifest, ['app.html', ...layout, page]), /\/KeysPage/.test(page) ? KEYS : PAGE)
  const frame = sizeOf(folder, manifest, ['app.html'])
  assertFits('The first frame', frame, FRAME)
  return frame.bytes
}

/** Throws if zod is among the bundled modules: the dashboard takes only types from contracts. */
export function assertWithoutSchemas(modules: Iterable<string>): void {
  if (![...modules].some((module) => /node_modules[\\/]zod[\\/]/.test(module))) return
  throw new Error(
    'The dashboard bundles zod (40 kB gzipped): import types alone from src/shared/contract, and move constants out of it.',
  )
}

/** The files of some modules with their static imports. */
export function sizeOf(folder: string, manifest: Manifest, sources: readonly string[]): Budget {
  const files = new Set<string>()
  for (const source of sources) addFiles(manifest, source, files)
  const bytes = [...files].map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
  return { files: files.size, bytes: bytes.reduce((sum, each) => sum + each, 0) }
}

function assertFits(what: string, { files, bytes }: Budget, max: Budget): void {
  if (files <= max.files && bytes <= max.bytes) return
  throw new Error(
    `${what} loads ${files} script files of ${bytes} bytes gzipped; the budget is ${max.files} files of ${max.bytes} bytes. ` +
      'Load code that only one page or dialog needs lazily, and see the groups in script-groups.ts.',
  )
}

function addFiles(manifest: Manifest, source: string, files: Set<string>): void {
  const { file, imports = [] } = manifest[source]
  if (files.has(file)) return
  files.add(file)
  for (const imported of imports) addFiles(manifest, imported, files)
}
