import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const CLIENT = join(import.meta.dirname, '..')

/**
 * `npm run client:build`: makes what the package contains.
 *
 *     scheduling-slots.js      all of it, without a dependency
 *     scheduling-slots.d.ts    its types, and a file for each that they come from
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await bundle(folder)
  await declare(folder)
}

async function bundle(folder: string): Promise<void> {
  const build = await rolldown({ input: join(CLIENT, 'src/scheduling-slots.ts'), platform: 'neutral' })
  try {
    await build.write({ dir: folder, format: 'esm', minify: true })
  } finally {
    await build.close()
  }
}

async function declare(folder: string): Promise<void> {
  const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc')
  const args = ['-p', CLIENT, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  await promisify(execFile)(process.execPath, [compiler, ...args])
}

if (import.meta.main) await buildPackage(join(CLIENT, 'dist'))
