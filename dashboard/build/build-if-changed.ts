import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../src/lib/text.ts'
import { type BuiltFrom, fingerprint, othersAmong } from './fingerprint.ts'
import { whileLocked } from './lock.ts'

/** A folder that is built from files of the repository. */
interface BuiltFolder {
  /** The name of the output, for messages. */
  readonly title: string
  readonly folder: string
  /** For temporary files; on the same file system as `folder`. */
  readonly workFolder: string
  /** Files and folders that determine the result, relative to the repository. The lock file represents all packages. */
  readonly inputs: readonly string[]
  /** Builds into a new folder. Returns the absolute paths of the bundled files, and a note for the message. */
  build(folder: string): Promise<{ readonly files: Iterable<string>; readonly note: string }>
}

/**
 * Builds a folder unless nothing has changed; its `.built-from` is the hash of the inputs. Builds into a temporary folder and renames it
 * at the end, one process at a time. `--quiet` prints nothing if nothing has changed.
 */
export async function buildIfChanged(built: BuiltFolder): Promise<void> {
  if (await isCurrent(built)) {
    if (!process.argv.includes('--quiet')) console.log(`The build of ${built.title} is up to date.`)
    return
  }
  await mkdir(built.workFolder, { recursive: true })
  await whileLocked(join(built.workFolder, 'lock'), () => rebuild(built))
}

async function isCurrent({ folder, inputs }: BuiltFolder): Promise<boolean> {
  const text = await readFile(join(folder, '.built-from'), 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const { hash, others } = JSON.parse(text) as BuiltFrom
  return hash === fingerprint(inputs, others)
}

async function rebuild(built: BuiltFolder): Promise<void> {
  // Another process may have finished the same build meanwhile.
  if (await isCurrent(built)) return
  const startedAtMs = Date.now()
  const ownFolder = join(built.workFolder, `${process.pid}`)
  try {
    const note = await buildInto(join(ownFolder, 'dist'), built)
    await putInPlace(built.folder, join(ownFolder, 'dist'))
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1)
    console.error(`Built ${built.title} in ${seconds} s: ${note}.`)
  } finally {
    await rm(ownFolder, { recursive: true, force: true })
  }
}

async function buildInto(folder: string, { inputs, ...built }: BuiltFolder): Promise<string> {
  // Changes during the build trigger the next build.
  const before = fingerprint(inputs, [])
  const { files, note } = await built.build(folder)
  const others = othersAmong(files, inputs)
  const unchanged = before === fingerprint(inputs, [])
  const builtFrom: BuiltFrom = { hash: unchanged ? fingerprint(inputs, others) : 'changed while building', others }
  await writeFile(join(folder, '.built-from'), JSON.stringify(builtFrom))
  return note
}

/** Not atomic: the folder is missing for a moment. The service reads it only at startup. */
async function putInPlace(folder: string, built: string): Promise<void> {
  const old = join(dirname(built), 'old')
  await rename(folder, old).catch((error) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  await rename(built, folder)
}
