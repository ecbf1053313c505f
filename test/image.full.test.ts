import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { copyContext, type ImageStage, performSteps } from './support/image/image-steps.ts'
import { ROOT } from './support/source-files.ts'

// Performs the steps of deploy/Dockerfile in a clean folder, and runs the result as a container would: on a read-only root without a
// shell, as the user of the image. Needs root on Linux, since it mounts.

const MB = 2 ** 20
const IMAGE_MB_MAX = 250
/** gcr.io/distroless/cc-debian12, uncompressed. */
const BASE_MB = 24

const SKIPPED = mayMount() ? false : 'Needs root on Linux, and permission to mount'
const folder = mkdtempSync(join(tmpdir(), 'slots-image-test-'))
const data = join(folder, 'volume')
let image: ImageStage
let port = 0

before(async () => {
  if (SKIPPED !== false) return
  const context = join(folder, 'context')
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  copyContext(ROOT, files, context)
  image = await performSteps(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'), context, join(folder, 'stages'))
  port = await freePort()
})

after(() => rmSync(folder, { recursive: true }))

test('the image has at most 250 MB', { skip: SKIPPED }, async () => {
  const { stdout } = await promisify(execFile)('du', ['--apparent-size', '-sb', image.root])
  const size = BASE_MB + Number.parseInt(stdout, 10) / MB
  assert.ok(size <= IMAGE_MB_MAX, `${size.toFixed(1)} MB`)
})

test('the image serves on a read-only root, as its user, and is healthy until it stops', {
  skip: SKIPPED,
}, async (t) => {
  assert.equal(image.user, '1000:1000')
  addBaseLibraries()
  execFileSync('cp', ['-a', '-T', join(image.root, 'data'), data])
  assert.deepEqual(ownerAndMode(data), { uid: 1000, gid: 1000, mode: 0o700 })
  assert.equal(await exitCode(container(image.healthCheck)), 1)
  const service = container([...image.entrypoint, ...image.command])
  t.after(() => service.kill('SIGKILL'))
  await eventually(() => isReady())
  assert.equal(await exitCode(container(image.healthCheck)), 0)
  assert.equal(await exitCode(container([...image.entrypoint, 'org', 'create', 'Example'])), 0)
  assert.deepEqual(ownerAndMode(join(data, 'slots.db')), { uid: 1000, gid: 1000, mode: 0o600 })
  service.kill('SIGTERM')
  assert.equal(await exitCode(service), 0)
})

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Those of this machine stand in for the base image's. */
function addBaseLibraries(): void {
  const listed = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
  const libraries = [...listed.matchAll(/\/\S+/g)].map(([path]) => path)
  execFileSync('cp', ['-L', '--parents', ...libraries, image.root])
}

/** Only the volume and /tmp can be written. */
function container(command: readonly string[]): ChildProcess {
  for (const name of ['proc', 'dev', 'tmp']) mkdirSync(join(image.root, name), { recursive: true })
  const mounts = [
    'mount --bind "$1" "$1"',
    'mount --bind /proc "$1/proc"',
    'mount --bind /dev "$1/dev"',
    'mount -o remount,ro,bind "$1"',
    'mount -t tmpfs tmpfs "$1/tmp"',
    'mount --bind "$2" "$1/data"',
  ]
  const [uid, gid] = image.user.split(':')
  const enter = `exec unshare --root="$1" --wd=${image.folder} --setgid=${gid} --setuid=${uid} -- "$@"`
  const script = `set -e; ${mounts.join('; ')}; root=$1; shift 2; ${enter.replace('"$1"', '"$root"')}`
  const [program, ...more] = command
  return spawn(
    'unshare',
    ['--mount', 'sh', '-c', script, 'sh', image.root, data, `/usr/local/bin/${program}`, ...more],
    { env: { ...image.environment, PORT: String(port), HOST: '127.0.0.1' }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

function ownerAndMode(path: string) {
  const { uid, gid, mode } = statSync(path)
  return { uid, gid, mode: mode & 0o777 }
}
