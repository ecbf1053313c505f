import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Manifest, mergeConfig } from 'vite'
import config from '../vite.config.ts'

/** The output and the inputs of the bundler. */
export interface Bundle {
  readonly manifest: Manifest
  /** Absolute paths of the bundled modules. */
  readonly files: ReadonlySet<string>
}

/** Bundles the dashboard and the scripts of the site into a new folder. Throws the bundler's errors. */
export async function bundle(folder: string): Promise<Bundle> {
  const output = await build(
    mergeConfig(config, {
      configFile: false,
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true },
    }),
  )
  const files = new Set<string>()
  for (const part of [output].flat()) {
    if (!('output' in part)) continue
    for (const chunk of part.output) {
      if (chunk.type === 'chunk') for (const id of chunk.moduleIds) files.add(id)
    }
  }
  const manifestFile = join(folder, '.vite/manifest.json')
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'))
  await rm(join(folder, '.vite'), { recursive: true })
  return { manifest, files }
}
