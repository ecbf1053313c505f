import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { shortHash } from '../../../src/slot/ids.ts'
import { ROOT } from '../source-files.ts'

/** What is installed, and the FHIR Shorthand of the guide's constraints. */
export const PROFILES_FOLDER = join(ROOT, 'test/profiles')

const CACHE = join(ROOT, 'node_modules/.cache/profiles')
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1']
const INSTALL_MS_MAX = 240_000

/**
 * Installs the packages of test/profiles once per lock file into the cache: 180 MB, too large for dependencies of the project. Loads
 * modules from there. Rejects if npm cannot install them.
 */
export async function requireForeign(): Promise<NodeJS.Require> {
  const lock = await readFile(join(PROFILES_FOLDER, 'package-lock.json'), 'utf8')
  const folder = join(CACHE, shortHash(lock))
  const found = createRequire(join(folder, 'package.json'))
  try {
    found.resolve('fsh-sushi')
  } catch {
    await install(folder)
  }
  return found
}

/** The folder appears complete, by one rename. */
async function install(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const installing = await mkdtemp(join(CACHE, 'installing-'))
  try {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(PROFILES_FOLDER, name), join(installing, name))
    await promisify(execFile)('npm', INSTALL, { cwd: installing, timeout: INSTALL_MS_MAX })
    await rename(installing, folder)
  } finally {
    await rm(installing, { recursive: true, force: true })
  }
}
