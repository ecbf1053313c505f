import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'
import { sharedService } from '../support/runner/shared-services.ts'
import { ROOT } from '../support/source-files.ts'

const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium')

/** The folder into which the Chromium package from npm is unpacked, once per version. */
const CACHE = join(ROOT, 'node_modules/.cache/chromium')

/**
 * Launch arguments. Chromium refuses to run as root with a sandbox, and without a network its background requests fail; the
 * tests open only pages of this project. A page is open for seconds: optimizing its functions as soon as by default costs more
 * CPU time than it saves.
 */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--invocation-count-for-maglev=2000',
]

/**
 * A headless Chromium: the browser that all files of a test run share, else one that starts now. Closing the shared browser
 * closes the caller's pages only.
 */
export async function launchChromium(): Promise<Browser> {
  const shared = await sharedService('chromium')
  return shared === undefined ? chromium.launch(await launchOptions()) : chromium.connect(shared.endpoint)
}

/** Starts the browser that the files of a test run share. */
export async function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer(await launchOptions())
}

/**
 * Chooses the browser that `CHROMIUM_PATH` names, else the one that npm installs (Linux on x64, with the libraries and fonts
 * that a bare machine lacks), else the system's. Launching fails if there is none: browser tests are never skipped.
 */
async function launchOptions(): Promise<LaunchOptions> {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined) return { executablePath: named, args: ARGUMENTS }
  if (process.platform !== 'linux' || process.arch !== 'x64') return systemsOwn()
  const folder = await unpacked()
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--headless', ...ARGUMENTS],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: await fontsFile(folder),
    },
  }
}

function systemsOwn(): LaunchOptions {
  const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  return path === undefined ? { channel: 'chrome', args: ARGUMENTS } : { executablePath: path, args: ARGUMENTS }
}

/**
 * The folder with Chromium in it. It appears complete, by one rename. The package's own code is not run: it would unpack to a
 * fixed path in the system's temporary folder, where another user could have put something else.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = join(CACHE, version)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const unpacking = await mkdtemp(join(CACHE, 'unpacking-'))
  await Promise.all([
    pipeline(packed('chromium.br'), createWriteStream(join(unpacking, 'chromium'), { mode: 0o755 })),
    extract('swiftshader.tar.br', unpacking),
    extract('fonts.tar.br', join(unpacking, 'fonts')),
    extract('al2023.tar.br', join(unpacking, 'al2023')),
  ])
  await rename(unpacking, folder).catch(async (error) => {
    // Another test file was faster.
    await rm(unpacking, { recursive: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

function packed(name: string): Readable {
  return createReadStream(join(PACKAGE, 'bin', name)).pipe(createBrotliDecompress())
}

async function extract(name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  // From a file: tar closes its standard input at the end-of-archive marker, before the padding is written.
  const archive = join(folder, name.replace('.br', ''))
  await pipeline(packed(name), createWriteStream(archive))
  const [code] = await once(spawn('tar', ['-x', '-C', folder, '-f', archive], { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`Cannot unpack ${name}: tar exited with ${code}`)
  await rm(archive)
}

/**
 * The configuration of the unpacked fonts. The package's own one names folders that do not exist here: without a font, no text
 * would have a height, and nothing could be clicked.
 */
async function fontsFile(folder: string): Promise<string> {
  const path = join(folder, 'fonts.conf')
  if (existsSync(path)) return path
  const making = `${path}.${process.pid}`
  await writeFile(
    making,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts/fonts')}</dir>
  <cachedir>${join(folder, 'fonts/cache')}</cachedir>
</fontconfig>
`,
  )
  await rename(making, path)
  return path
}
